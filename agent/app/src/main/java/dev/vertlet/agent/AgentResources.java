package dev.vertlet.agent;

import dev.vertlet.bus.Bus;
import dev.vertlet.eventloop.EventLoops;
import dev.vertlet.kube.SteadyClock;
import dev.vertlet.loop.Env;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Deployable;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Clock;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Objects that all verticles of an agent share.
 *
 * @param wall wall clock, for times that other machines compare with theirs
 * @param steady steady clock, for deadlines and ages
 */
record AgentResources(
    Vertx vertx, EventLoops loops, Bus bus, MeterRegistry metrics, Clock wall, Clock steady) {
  /**
   * @param vertx not used by another agent
   * @param limit how long an event loop may be blocked
   * @param clock replaces both clocks; null for the machine's
   */
  static AgentResources create(
      Vertx vertx, MeterRegistry metrics, Duration limit, @Nullable Clock clock) {
    return new AgentResources(
        vertx,
        new EventLoops(vertx, metrics, limit),
        Bus.install(vertx),
        metrics,
        clock == null ? Clock.systemUTC() : clock,
        clock == null ? SteadyClock.ofMachine() : clock);
  }

  /** Adds a verticle to the main loop; it leaves before all that were added earlier. */
  Future<?> add(Supplier<? extends Deployable> verticle) {
    return loops.add(loops.main(), verticle);
  }

  /** Makes the environment of one verticle, with the wall clock. */
  Env wallEnv() {
    return env(wall);
  }

  /** Makes the environment of one verticle, with the steady clock. */
  Env steadyEnv() {
    return env(steady);
  }

  private Env env(Clock clock) {
    return new Env(clock, System::nanoTime, random(), metrics);
  }

  /** Makes the source of randomness of one verticle, confined to its loop. */
  RandomGenerator random() {
    return new SplittableRandom();
  }
}
