package dev.vertlet.harness.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class LifetimeTest {
  private static final int MANY = 50_000;

  private static List<Double> seconds(Lifetime lifetime) {
    SplittableRandom random = new SplittableRandom(11);
    return Stream.generate(() -> lifetime.draw(random).toNanos() / 1e9).limit(MANY).toList();
  }

  private static double mean(List<Double> values) {
    return values.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
  }

  @Test
  void fixedOnesAreAllTheSame() {
    assertThat(new Lifetime.Fixed(Duration.ofSeconds(3)).draw(new SplittableRandom(1)))
        .isEqualTo(Duration.ofSeconds(3));
  }

  @Test
  void uniformOnesFillTheirRange() {
    List<Double> lives =
        seconds(new Lifetime.Uniform(Duration.ofSeconds(10), Duration.ofSeconds(30)));

    assertThat(lives).allSatisfy(life -> assertThat(life).isBetween(10.0, 30.0));
    assertThat(mean(lives)).isCloseTo(20, within(0.2));
  }

  @Test
  void mostExponentialOnesAreShorterThanTheirMean() {
    List<Double> lives = seconds(new Lifetime.Exponential(Duration.ofSeconds(60)));

    assertThat(mean(lives)).isCloseTo(60, within(1.0));
    assertThat(lives.stream().filter(life -> life < 60).count() / (double) MANY)
        .isCloseTo(0.632, within(0.01));
  }
}
