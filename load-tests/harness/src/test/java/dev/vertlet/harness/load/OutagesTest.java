package dev.vertlet.harness.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.harness.result.RunResult.Outage;
import java.util.Set;
import org.junit.jupiter.api.Test;

class OutagesTest {
  private static final long SECOND = 1_000_000_000;

  private final Outages outages = new Outages();

  @Test
  void anOutageIsMendedWhenEveryLeaseIsRenewedAndEveryWaitingPodIsServed() {
    outages.over(300, 400 * SECOND, Set.of("a", "b"), Set.of("starting", "ending"));
    outages.renewed("a", 401 * SECOND);
    outages.served("starting", 402 * SECOND);
    outages.renewed("b", 403 * SECOND);
    outages.served("of later", 404 * SECOND);
    outages.served("ending", 405 * SECOND);
    outages.renewed("b", 413 * SECOND);

    assertThat(outages.ended()).containsExactly(new Outage(300, 3, 2, 5));
  }

  @Test
  void theNextOneEndsWhatWasMeasuredOfTheOneBefore() {
    outages.over(10, 10 * SECOND, Set.of("a"), Set.of("pod"));
    outages.over(20, 20 * SECOND, Set.of("a"), Set.of());
    outages.renewed("a", 21 * SECOND);
    outages.served("pod", 22 * SECOND);

    assertThat(outages.ended())
        .containsExactly(new Outage(10, Double.NaN, 1, Double.NaN), new Outage(20, 1, 0, 0));
  }
}
