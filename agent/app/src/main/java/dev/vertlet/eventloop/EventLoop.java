package dev.vertlet.eventloop;

import dev.vertlet.metrics.LoopLag;
import dev.vertlet.server.Liveness;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Deployable;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One event loop that several verticles share, so that messages between them need no thread hop.
 * They are deployed one after another and leave in reverse order.
 */
public final class EventLoop extends VerticleBase {
  private final String name;
  private final Liveness liveness;
  private final MeterRegistry metrics;
  private @Nullable LoopLag lag;
  private final Deque<Deployable> deployed = new ArrayDeque<>();

  /**
   * @param name of the loop in metrics and liveness messages
   */
  public EventLoop(String name, Liveness liveness, MeterRegistry metrics) {
    this.name = name;
    this.liveness = liveness;
    this.metrics = metrics;
  }

  @Override
  public Future<?> start() {
    liveness.watch(name, context);
    lag = LoopLag.start(vertx, name, metrics);
    return Future.succeededFuture();
  }

  @Override
  public Future<?> stop() {
    liveness.forget(name);
    if (lag != null) {
      lag.stop();
    }
    return Future.succeededFuture();
  }

  /**
   * Makes a verticle on this loop and deploys it there.
   *
   * @return completes on this loop's context when the verticle has started; fails as its start does
   */
  public Future<?> add(Supplier<? extends Deployable> verticle) {
    return call(() -> {
          Deployable made = verticle.get();
          deployed.push(made);
          return made.deploy(context);
        })
        .compose(started -> started);
  }

  /** Runs an action on this loop and returns its result. */
  public <T> Future<T> call(Callable<T> action) {
    Promise<T> done = Promise.promise();
    context.runOnContext(
        v -> {
          try {
            done.complete(action.call());
          } catch (Exception e) {
            done.fail(e);
          }
        });
    return done.future();
  }

  /** Runs an action on this loop without a result. Not before the loop is deployed. */
  public void execute(Runnable action) {
    context.runOnContext(v -> action.run());
  }

  /** Undeploys all verticles, the last first. */
  public Future<?> removeAll() {
    return call(deployed::isEmpty)
        .compose(
            empty ->
                empty
                    ? Future.succeededFuture()
                    : removeLast().otherwiseEmpty().compose(v -> removeAll()));
  }

  /**
   * Undeploys the last verticle. A verticle whose stop fails does not keep the others from leaving.
   */
  Future<?> removeLast() {
    return call(() -> deployed.pop().undeploy(context)).compose(left -> left);
  }
}
