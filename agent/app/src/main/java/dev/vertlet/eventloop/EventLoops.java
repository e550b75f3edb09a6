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

/** The event loops of an agent, and the order in which verticles were added to them. */
public final class EventLoops {
  /**
   * Limit for the stop of one verticle, seconds: a request that hangs must not keep the leases,
   * which are released last, from being released.
   */
  public static final long STEP_SECONDS = 3;

  private final Vertx vertx;
  private final MeterRegistry metrics;
  private final Liveness liveness;
  private final EventLoop main;
  private final Deque<List<EventLoop>> added = new ArrayDeque<>();

  /**
   * @param limit how long a loop may be blocked
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

  /** The loop of the API server's client and of the verticles that exist once per process. */
  public EventLoop main() {
    return main;
  }

  /** Makes another loop, not yet deployed. */
  public EventLoop loop(String name) {
    return new EventLoop(name, liveness, metrics);
  }

  public Future<?> deploy(EventLoop loop) {
    return vertx.deployVerticle(loop);
  }

  /** Adds a verticle to a loop; it leaves before all that were added earlier. */
  public Future<?> add(EventLoop loop, Supplier<? extends Deployable> verticle) {
    added.push(List.of(loop));
    return loop.add(verticle);
  }

  /** Adds one verticle for each element, as {@link #add} does; they leave in parallel. */
  public <T> Future<?> addToEach(
      List<T> all, Function<T, EventLoop> loop, Function<T, Deployable> verticle) {
    added.push(all.stream().map(loop).toList());
    return Future.join(
        all.stream().map(each -> loop.apply(each).add(() -> verticle.apply(each))).toList());
  }

  /** Undeploys all verticles, the last first. Succeeds even if some do not leave in order. */
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
