package dev.vertlet.harness.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.harness.result.RunResult.Outage;
import java.time.Instant;
import java.util.Set;
import org.junit.jupiter.api.Test;

class OutagesTest {
  private final Outages outages = new Outages();

  private static Instant second(long second) {
    return Instant.ofEpochSecond(1_000_000 + second);
  }

  @Test
  void anOutageIsMendedWhenEveryLeaseIsRenewedAndEveryWaitingPodIsServed() {
    outages.renewed("a", second(90));
    outages.renewed("b", second(99));
    outages.over(300, second(100), second(400), Set.of("starting", "ending"));
    outages.renewed("b", second(403));
    outages.served("starting", second(402));
    outages.renewed("a", second(401));
    outages.served("of later", second(404));
    outages.served("ending", second(405));
    outages.renewed("b", second(413));

    assertThat(outages.ended()).containsExactly(new Outage(300, 3, 2, 5));
  }

  @Test
  void aLeaseThatWasRenewedBeforeTheServerSaidThatItIsReadyIsRenewed() {
    outages.renewed("a", second(90));
    outages.renewed("b", second(90));
    outages.renewed("a", second(399));
    outages.over(300, second(100), second(400), Set.of());
    outages.renewed("b", second(399));

    assertThat(outages.ended()).containsExactly(new Outage(300, 0, 0, 0));
  }

  @Test
  void theNextOneEndsWhatWasMeasuredOfTheOneBefore() {
    outages.renewed("a", second(1));
    outages.over(10, second(2), second(10), Set.of("pod"));
    outages.over(20, second(12), second(20), Set.of());
    outages.renewed("a", second(21));
    outages.served("pod", second(22));

    assertThat(outages.ended())
        .containsExactly(new Outage(10, Double.NaN, 1, Double.NaN), new Outage(20, 1, 0, 0));
  }

  @Test
  void leasesThatAreGoneAreNotWaitedFor() {
    outages.renewed("a", second(1));
    outages.renewed("gone", second(1));
    outages.over(10, second(2), second(10), Set.of());
    outages.gone("gone");
    outages.renewed("a", second(12));

    assertThat(outages.ended()).containsExactly(new Outage(10, 2, 0, 0));
  }
}
