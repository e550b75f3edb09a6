package dev.vertlet.harness.loadtest;

import dev.vertlet.harness.scenario.Arrival;
import dev.vertlet.harness.scenario.Arrivals;
import dev.vertlet.harness.scenario.Lifetime;
import dev.vertlet.harness.scenario.Phase;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.PrimitiveIterator;
import java.util.SplittableRandom;

/** Amount of work of each phase; that of a delete depends on the phases before. */
final class PhaseSizes {
  /** Longest lifetime in means: of a million exponential ones, hardly one is longer. */
  private static final int LONGEST_OF_MEAN = 17;

  private final Deque<Phase.Deploy> deployments = new ArrayDeque<>();
  private final int nodes;
  private long pods;

  private PhaseSizes(int nodes) {
    this.nodes = nodes;
  }

  /**
   * Size of one phase.
   *
   * @param arrivals pods that become Ready or go, updates, or nodes; 0 for a hold
   * @param lasting minimum duration due to rates, lifetimes and holds
   */
  record Size(long arrivals, Duration lasting) {}

  /** Sizes of all phases of a scenario, in order. */
  static List<Size> of(List<Phase> phases, int nodes) {
    PhaseSizes sizes = new PhaseSizes(nodes);
    List<Size> all = new ArrayList<>();
    phases.forEach(phase -> all.add(sizes.next(phase)));
    return all;
  }

  private Size next(Phase phase) {
    if (phase instanceof Phase.Create create) {
      return create(create);
    }
    if (phase instanceof Phase.Deploy deploy) {
      deployments.add(deploy);
      return new Size(
          (long) deploy.deployments() * deploy.replicas(),
          lastDue(deploy.deployments(), deploy.arrival()));
    }
    if (phase instanceof Phase.Undeploy undeploy) {
      return undeploy(undeploy);
    }
    if (phase instanceof Phase.Update update) {
      return new Size(update.updates(), lastDue(update.updates(), update.arrival()));
    }
    if (phase instanceof Phase.Rollout) {
      return new Size(nodes, Duration.ZERO);
    }
    if (phase instanceof Phase.Delete delete) {
      long deleted = Math.min(pods, delete.pods());
      pods -= deleted;
      return new Size(deleted, lastDue(deleted, delete.arrival()));
    }
    return new Size(0, ((Phase.Hold) phase).lasting());
  }

  private Size create(Phase.Create create) {
    Duration due = lastDue(create.pods(), create.arrival());
    if (create.lifetime().isPresent()) {
      return new Size(2L * create.pods(), due.plus(longest(create.lifetime().get())));
    }
    pods += create.pods();
    return new Size(create.pods(), due);
  }

  /** Removes the oldest Deployments first. */
  private Size undeploy(Phase.Undeploy undeploy) {
    long gone = 0;
    int left = undeploy.deployments();
    while (left > 0 && !deployments.isEmpty()) {
      Phase.Deploy oldest = deployments.remove();
      int taken = Math.min(left, oldest.deployments());
      left -= taken;
      gone += (long) taken * oldest.replicas();
      if (taken < oldest.deployments()) {
        deployments.addFirst(
            new Phase.Deploy(
                oldest.name(),
                oldest.warmUp(),
                oldest.deployments() - taken,
                oldest.replicas(),
                oldest.arrival()));
      }
    }
    return new Size(gone, lastDue(undeploy.deployments() - left, undeploy.arrival()));
  }

  private static Duration lastDue(long requests, Arrival arrival) {
    if (arrival instanceof Arrival.Burst) {
      return Duration.ZERO;
    }
    PrimitiveIterator.OfLong due = Arrivals.due(arrival, new SplittableRandom(0));
    long last = 0;
    for (long i = 0; i < requests && due.hasNext(); i++) {
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
