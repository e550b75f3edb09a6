package dev.vertlet.harness.loadtest;

import dev.vertlet.harness.scenario.Phase;
import dev.vertlet.harness.scenario.Scenario;
import java.time.Duration;

/** Default time limit of a scenario. */
public final class Expectation {
  /** Time limit without objects: a cold start on a busy machine. */
  private static final Duration BASE = Duration.ofMinutes(2);

  /** Additional time limit per object: 50 objects/s, a tenth of what two slow cores reach. */
  private static final Duration PER_OBJECT = Duration.ofMillis(20);

  private Expectation() {}

  /**
   * Adds time for each node and each expected event, twice the time of rates, lifetimes and holds,
   * and the grace period for each phase that deletes pods: not every agent ends them earlier.
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
