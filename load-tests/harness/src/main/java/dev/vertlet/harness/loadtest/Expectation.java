package dev.vertlet.harness.loadtest;

import dev.vertlet.harness.scenario.Phase;
import dev.vertlet.harness.scenario.Scenario;
import java.time.Duration;

/** How long a scenario may take before somebody should look. */
public final class Expectation {
  /** What is waited for in any case: a cold start on a busy machine. */
  private static final Duration BASE = Duration.ofMinutes(2);

  /** 50 objects per second: a tenth of what two slow cores manage. */
  private static final Duration PER_OBJECT = Duration.ofMillis(20);

  private Expectation() {}

  /**
   * Something for each node and arrival, twice what rates, life times and holds take, and the grace
   * of pods for each phase in which some go: not every agent lets them go before.
   */
  public static Duration of(Scenario scenario) {
    Duration sum = BASE.plus(PER_OBJECT.multipliedBy(scenario.nodes()));
    for (Phase phase : scenario.phases()) {
      if (removes(phase)) {
        sum = sum.plusSeconds(scenario.graceSeconds());
      }
    }
    for (PhaseSizes.Size size : PhaseSizes.of(scenario.phases(), scenario.nodes())) {
      sum = sum.plus(PER_OBJECT.multipliedBy(size.arrivals())).plus(size.lasting().multipliedBy(2));
    }
    return sum;
  }

  private static boolean removes(Phase phase) {
    return phase instanceof Phase.Create create
        ? create.lifetime().isPresent()
        : phase instanceof Phase.Delete || phase instanceof Phase.Undeploy;
  }
}
