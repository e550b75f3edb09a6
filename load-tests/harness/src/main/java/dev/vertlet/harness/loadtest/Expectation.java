package dev.vertlet.harness.loadtest;

import dev.vertlet.harness.scenario.Arrival;
import dev.vertlet.harness.scenario.Arrivals;
import dev.vertlet.harness.scenario.Lifetime;
import dev.vertlet.harness.scenario.Phase;
import dev.vertlet.harness.scenario.Scenario;
import java.time.Duration;
import java.util.PrimitiveIterator;
import java.util.SplittableRandom;

/** How long a scenario may take before somebody should look. */
public final class Expectation {
  /** What is waited for in any case: a cold start on a busy machine. */
  private static final Duration BASE = Duration.ofMinutes(2);

  /** 50 objects per second: a tenth of what two slow cores manage. */
  private static final Duration PER_OBJECT = Duration.ofMillis(20);

  /** Of a million exponential life times, one in twenty runs has a longer one than 17 means. */
  private static final int LONGEST_OF_MEAN = 17;

  private Expectation() {}

  /** Twice what arrivals, life times and holds take, and something for each object. */
  public static Duration of(Scenario scenario) {
    Duration sum = BASE.plus(PER_OBJECT.multipliedBy(scenario.nodes()));
    for (Phase phase : scenario.phases()) {
      sum = sum.plus(of(phase));
    }
    return sum;
  }

  private static Duration of(Phase phase) {
    if (phase instanceof Phase.Create create) {
      Duration life = create.lifetime().map(Expectation::longest).orElse(Duration.ZERO);
      return work(2L * create.pods(), create.pods(), create.arrival()).plus(life);
    }
    if (phase instanceof Phase.Deploy deploy) {
      long pods = (long) deploy.deployments() * deploy.replicas();
      return work(pods, deploy.deployments(), deploy.arrival());
    }
    if (phase instanceof Phase.Undeploy undeploy) {
      return work(undeploy.deployments(), undeploy.deployments(), undeploy.arrival());
    }
    if (phase instanceof Phase.Update update) {
      return work(update.updates(), update.updates(), update.arrival());
    }
    if (phase instanceof Phase.Delete delete) {
      return work(delete.pods(), delete.pods(), delete.arrival());
    }
    return ((Phase.Hold) phase).lasting();
  }

  private static Duration work(long objects, int requests, Arrival arrival) {
    return PER_OBJECT.multipliedBy(objects).plus(lastDue(requests, arrival).multipliedBy(2));
  }

  private static Duration lastDue(int requests, Arrival arrival) {
    if (arrival instanceof Arrival.Burst) {
      return Duration.ZERO;
    }
    PrimitiveIterator.OfLong due = Arrivals.due(arrival, new SplittableRandom(0));
    long last = 0;
    for (int i = 0; i < requests && due.hasNext(); i++) {
      last = due.nextLong();
    }
    return Duration.ofNanos(last);
  }

  private static Duration longest(Lifetime lifetime) {
    if (lifetime instanceof Lifetime.Exponential exponential) {
      return exponential.mean().multipliedBy(LONGEST_OF_MEAN);
    }
    return lifetime instanceof Lifetime.Uniform uniform
        ? uniform.max()
        : ((Lifetime.Fixed) lifetime).duration();
  }
}
