package dev.vertlet.apiserver;

import dev.vertlet.apiserver.control.Turns;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.time.Duration;

/** Turns on the server's context; they end with its deployment. */
final class VertxTurns implements Turns {
  private final Vertx vertx;
  private final Context context;
  private boolean ended;

  VertxTurns(Vertx vertx, Context context) {
    this.vertx = vertx;
    this.context = context;
  }

  @Override
  public void soon(Runnable task) {
    context.runOnContext(turn -> run(task));
  }

  @Override
  public void later(Duration delay, Runnable task) {
    vertx.setTimer(Math.max(1, delay.toMillis() + 1), fired -> run(task)); // never early
  }

  private void run(Runnable task) {
    if (!ended) {
      task.run();
    }
  }

  /** No task runs any more. */
  void end() {
    ended = true;
  }
}
