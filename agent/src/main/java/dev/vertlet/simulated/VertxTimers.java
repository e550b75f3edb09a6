package dev.vertlet.simulated;

import io.vertx.core.Vertx;

/** Timers of the context that starts them. */
record VertxTimers(Vertx vertx) implements Timers {
  @Override
  public long start(long delayMillis, Runnable action) {
    return vertx.setTimer(delayMillis, id -> action.run());
  }

  @Override
  public void cancel(long id) {
    // false when it has fired already, which is as good
    boolean unused = vertx.cancelTimer(id);
  }
}
