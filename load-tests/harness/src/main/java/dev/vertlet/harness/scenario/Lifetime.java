package dev.vertlet.harness.scenario;

import java.time.Duration;
import java.util.random.RandomGenerator;

/** How long a pod stays after it became Ready. */
public sealed interface Lifetime {
  /** That of one pod. */
  Duration draw(RandomGenerator random);

  /** All the same. */
  record Fixed(Duration duration) implements Lifetime {
    @Override
    public Duration draw(RandomGenerator random) {
      return duration;
    }
  }

  /** As long as calls last: most are short, some are long. */
  record Exponential(Duration mean) implements Lifetime {
    @Override
    public Duration draw(RandomGenerator random) {
      return Duration.ofNanos((long) (mean.toNanos() * random.nextExponential()));
    }
  }

  /** Anything between the two, each as likely. */
  record Uniform(Duration min, Duration max) implements Lifetime {
    @Override
    public Duration draw(RandomGenerator random) {
      long span = max.minus(min).toNanos();
      return min.plusNanos((long) (span * random.nextDouble()));
    }
  }
}
