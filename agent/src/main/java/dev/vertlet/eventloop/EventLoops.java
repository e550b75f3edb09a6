package dev.vertlet.eventloop;

import static java.util.concurrent.TimeUnit.SECONDS;

import dev.vertlet.server.Liveness;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Deployable;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

/** The event loops of an agent, and in which order what lives on them came. */
public final class EventLoops {
  /**
   * What one verticle may take to leave: a request that hangs must not keep the leases, which are
   * released last, from being released.
   */
  public static final long STEP_SECONDS = 3;

  private final Vertx vertx;
  private final MeterRegistry metrics;
  private final Liveness liveness;
  private final EventLoop main;
  private final Deque<List<EventLoop>> added = new ArrayDeque<>();

  /**
   * @param limit how long a loop may not turn
   */
  public EventLoops(Vertx vertx, MeterRegistry metrics, Duration limit) {
    this.vertx = vertx;
    this.metrics = metrics;
    this.liveness = new Liveness(limit);
    this.main = loop("main");
  }

  public Liveness liveness() {
    return liveness;
  }

  /** Of the client of the API server, and of what the process has once. */
  public EventLoop main() {
    return main;
  }

  /** Another one, not yet deployed. */
  public EventLoop loop(String name) {
    return new EventLoop(name, liveness, metrics);
  }

  public Future<?> deploy(EventLoop loop) {
    return vertx.deployVerticle(loop);
  }

  /** Adds a verticle to a loop, to leave before all that were added already. */
  public Future<?> add(EventLoop loop, Supplier<? extends Deployable> verticle) {
    added.push(List.of(loop));
    return loop.add(verticle);
  }

  /** As {@link #add}, of one for each; they leave side by side. */
  public <T> Future<?> addToEach(
      List<T> all,
      Function<T, EventLoop> loop,
      Function<T, Supplier<? extends Deployable>> verticle) {
    added.push(all.stream().map(loop).toList());
    return Future.join(
        all.stream().map(each -> loop.apply(each).add(verticle.apply(each))).toList());
  }

  /** Undeploys what was added, the last first. Succeeds, whatever does not leave in order. */
  public Future<Void> leave() {
    Future<?> chain = Future.succeededFuture();
    while (!added.isEmpty()) {
      List<EventLoop> loops = added.pop();
      chain =
          chain.eventually(
              () ->
                  Future.join(
                      loops.stream()
                          .map(loop -> loop.removeLast().timeout(STEP_SECONDS, SECONDS))
                          .toList()));
    }
    return chain.otherwiseEmpty().mapEmpty();
  }
}
