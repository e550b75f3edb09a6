package dev.vertlet.harness.load;

import dev.vertlet.harness.result.PhaseResult;
import dev.vertlet.harness.scenario.Lifetime;
import dev.vertlet.harness.scenario.Phase;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CancellationException;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * Runs one phase from its first request to its last result, including the end of the pod lifetimes
 * that it starts. Confined to the load's event loop.
 */
final class PhaseRun {
  private static final long NANOS_PER_MILLI = 1_000_000;

  private final Vertx vertx;
  private final LongSupplier nanos;
  private final Population population;
  private final Actions actions;
  private final PhaseMeter meter;
  private final PhaseWork work;
  private final Optional<Lifetime> lifetime;
  private final RandomGenerator random;
  private final Promise<PhaseResult> done = Promise.promise();
  private boolean sent;

  /**
   * @param random generator of this phase alone
   */
  PhaseRun(
      Context context,
      LongSupplier nanos,
      Population population,
      Actions actions,
      PhaseMeter meter,
      SplittableRandom random) {
    this.vertx = context.owner();
    this.nanos = nanos;
    this.population = population;
    this.actions = actions;
    this.meter = meter;
    this.work = new PhaseWork(context, nanos, population, actions, random.split());
    this.lifetime =
        meter.phase() instanceof Phase.Create create ? create.lifetime() : Optional.empty();
    this.random = random.split();
  }

  Phase phase() {
    return meter.phase();
  }

  /** Final result, or the result so far. */
  PhaseResult result(long now) {
    PhaseResult ended = done.future().result();
    return ended == null ? meter.result(now) : ended;
  }

  /** Runs the phase; fails with the first request that fails permanently. */
  Future<PhaseResult> start() {
    population.begin(meter);
    work.run(meter.phase())
        .onSuccess(
            v -> {
              sent = true;
              settle();
            })
        .onFailure(done::tryFail);
    return done.future();
  }

  boolean over() {
    return done.future().isComplete();
  }

  /** Ends the phase when no result is outstanding. */
  void settle() {
    if (sent && meter.idle()) {
      done.tryComplete(meter.result(nanos.getAsLong()));
    }
  }

  /** Starts the lifetime of a pod that became Ready for the first time. */
  void arrived(TrackedPod pod, long now) {
    if (lifetime.isEmpty() || pod.deployment() != null || over()) {
      return;
    }
    population.live(pod, true);
    Duration life = lifetime.get().draw(random);
    long end = now + life.toNanos();
    vertx.setTimer(Math.max(1, life.toNanos() / NANOS_PER_MILLI), id -> end(pod, end));
  }

  private void end(TrackedPod pod, long due) {
    if (!over()) {
      actions.delete(pod, due).onFailure(done::tryFail);
    }
  }

  /** Ends the phase and counts all outstanding results as lost. */
  void giveUp() {
    if (!over()) {
      work.cancel();
      population.giveUp();
      done.tryComplete(meter.result(nanos.getAsLong()));
    }
  }

  void cancel() {
    work.cancel();
    done.tryFail(new CancellationException("the load was cancelled"));
  }
}
