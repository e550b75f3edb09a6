package dev.vertlet.harness.replay.cluster;

import dev.vertlet.harness.replay.plan.Step;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;

/**
 * Makes the workloads and pods that exist when the clock starts, and waits until their pods run.
 * Confined to the event loop of its client.
 */
final class InitialObjects {
  private static final long POLL_MILLIS = 50;

  /**
   * How long the number of running pods may stay the same before the clock starts nevertheless:
   * longer than a scheduler's back-off, 10 s at most. Not all may fit other nodes than the recorded
   * ones.
   */
  private static final long SETTLED_MILLIS = 12_000;

  private final Vertx vertx;
  private final ClusterSteps steps;
  private final Sightings sightings;
  private final List<String> failures = new ArrayList<>();

  InitialObjects(Vertx vertx, ClusterSteps steps, Sightings sightings) {
    this.vertx = vertx;
    this.steps = steps;
    this.sightings = sightings;
  }

  /**
   * Makes the objects. One that fails is noted, and the others are made.
   *
   * @param running number of pods to wait for
   * @return failures, each with its object; never fails
   */
  Future<List<String>> make(List<Step.Create> objects, int running) {
    List<Future<?>> made = new ArrayList<>();
    for (Step.Create object : objects) {
      made.add(
          steps
              .perform(object)
              .onFailure(failure -> failures.add(object.subject() + ": " + failure.getMessage())));
    }
    return Future.join(made)
        .transform(over -> await(running, sightings.running(), 0))
        .map(over -> List.copyOf(failures));
  }

  private Future<Void> await(int wanted, int before, long still) {
    int now = sightings.running();
    if (now >= wanted || still >= SETTLED_MILLIS) {
      return Future.succeededFuture();
    }
    return vertx
        .timer(POLL_MILLIS)
        .compose(again -> await(wanted, now, now == before ? still + POLL_MILLIS : 0));
  }
}
