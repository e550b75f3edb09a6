package dev.vertlet.loop;

import io.vertx.core.Context;
import io.vertx.core.Vertx;

/** The current context at construction, or a new one outside of any. */
public final class VertxLoop implements CoreLoop {
  private final Vertx vertx;
  private final Context context;

  public VertxLoop(Vertx vertx) {
    this.vertx = vertx;
    this.context = vertx.getOrCreateContext();
    // bus messages and timers run on duplicates of the context, which share its data
    context.put(this, true);
  }

  @Override
  public void run(Runnable task) {
    Context current = Vertx.currentContext();
    if (current != null && current.get(this) != null) {
      task.run();
    } else {
      later(task);
    }
  }

  @Override
  public void later(Runnable task) {
    context.runOnContext(ignored -> task.run());
  }

  @Override
  public long setTimer(long delayMillis, Runnable task) {
    // a timer runs on the context that set it, which may be a different one during start
    return vertx.setTimer(Math.max(1, delayMillis), ignored -> run(task));
  }

  @Override
  public void cancelTimer(long id) {
    vertx.cancelTimer(id);
  }
}
