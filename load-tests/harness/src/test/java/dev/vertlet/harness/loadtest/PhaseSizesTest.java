package dev.vertlet.harness.loadtest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.harness.loadtest.PhaseSizes.Size;
import dev.vertlet.harness.scenario.Arrival;
import dev.vertlet.harness.scenario.Phase;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PhaseSizesTest {
  private static final Arrival BURST = new Arrival.Burst(64);

  @Test
  void nothingIsDeletedThatIsNotThere() {
    assertThat(
            PhaseSizes.of(
                List.of(
                    new Phase.Create("c", false, 100, BURST, Optional.empty()),
                    new Phase.Delete("d1", false, 30, BURST),
                    new Phase.Delete("d2", false, Integer.MAX_VALUE, new Arrival.Constant(10)),
                    new Phase.Rollout("r", false, new JsonObject()),
                    new Phase.Delete("d3", false, Integer.MAX_VALUE, BURST)),
                7))
        .containsExactly(
            new Size(100, Duration.ZERO),
            new Size(30, Duration.ZERO),
            new Size(70, Duration.ofMillis(6_900)),
            new Size(7, Duration.ZERO),
            new Size(0, Duration.ZERO));
  }

  @Test
  void theOldestDeploymentsGoFirst() {
    assertThat(
            PhaseSizes.of(
                List.of(
                    new Phase.Deploy("d1", false, 2, 10, BURST),
                    new Phase.Deploy("d2", false, 3, 100, BURST),
                    new Phase.Undeploy("u1", false, 3, BURST),
                    new Phase.Undeploy("u2", false, Integer.MAX_VALUE, BURST)),
                1))
        .extracting(Size::arrivals)
        .containsExactly(20L, 300L, 120L, 200L);
  }
}
