package dev.vertlet.harness.load;

import dev.vertlet.harness.scenario.Arrival;
import dev.vertlet.harness.scenario.Phase;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Sends the requests of one phase. Confined to the load's event loop. */
final class PhaseWork {
  /** Closed loop of 64 requests that assign nodes their first config. */
  private static final Arrival ASSIGNING = new Arrival.Burst(64);

  private final Context context;
  private final LongSupplier nanos;
  private final Population population;
  private final Actions actions;
  private final RandomGenerator random;
  private final Promise<Void> sent = Promise.promise();
  private @Nullable PacedRequests running;

  /**
   * @param random generator of the arrival times
   */
  PhaseWork(
      Context context,
      LongSupplier nanos,
      Population population,
      Actions actions,
      RandomGenerator random) {
    this.context = context;
    this.nanos = nanos;
    this.population = population;
    this.actions = actions;
    this.random = random;
  }

  /** Completes when all requests are answered; fails with the first permanent failure. */
  Future<Void> run(Phase phase) {
    start(phase).onSuccess(v -> sent.tryComplete()).onFailure(sent::tryFail);
    return sent.future();
  }

  /** Stops sending. */
  void cancel() {
    if (running != null) {
      running.cancel();
    }
    sent.tryFail(new CancellationException("no more requests are to be sent"));
  }

  private Future<Void> start(Phase phase) {
    if (phase instanceof Phase.Create create) {
      return paced(create.pods(), create.arrival(), (index, from) -> actions.create(from));
    }
    if (phase instanceof Phase.Deploy deploy) {
      return actions
          .requireDeployments(phase.name())
          .compose(
              v ->
                  paced(
                      deploy.deployments(),
                      deploy.arrival(),
                      (index, from) -> actions.deploy(deploy.replicas(), from)));
    }
    if (phase instanceof Phase.Undeploy undeploy) {
      List<TrackedDeployment> oldest = population.oldestDeployments(undeploy.deployments());
      return paced(
          oldest.size(),
          undeploy.arrival(),
          (index, from) -> actions.undeploy(oldest.get(index), from));
    }
    if (phase instanceof Phase.Update update) {
      return update(update, population.standing());
    }
    if (phase instanceof Phase.Rollout rollout) {
      long from = nanos.getAsLong();
      return actions
          .rollout(rollout.kubelet(), from)
          .compose(
              nodes ->
                  paced(
                      nodes.size(), ASSIGNING, (index, late) -> actions.assign(nodes.get(index))));
    }
    if (phase instanceof Phase.Delete delete) {
      List<TrackedPod> oldest = population.oldest(delete.pods());
      return paced(
          oldest.size(),
          delete.arrival(),
          (index, from) -> actions.delete(oldest.get(index), from));
    }
    long millis = ((Phase.Hold) phase).lasting().toMillis();
    return context.owner().timer(Math.max(1, millis)).mapEmpty();
  }

  private Future<Void> update(Phase.Update update, List<TrackedPod> standing) {
    return paced(
        standing.isEmpty() ? 0 : update.updates(),
        update.arrival(),
        (index, from) -> actions.update(standing.get(index % standing.size()), from));
  }

  private Future<Void> paced(int count, Arrival arrival, PacedRequests.Request request) {
    if (sent.future().failed()) {
      return sent.future();
    }
    running = new PacedRequests(context, nanos, count, request);
    return running.run(arrival, random);
  }
}
