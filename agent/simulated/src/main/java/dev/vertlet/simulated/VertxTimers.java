package dev.vertlet.simulated;

import io.vertx.core.Vertx;

/** Starts Vert.x timers on the calling context. */
record VertxTimers(Vertx vertx) implements Timers {
  @Override
  public long start(long delayMillis, Runnable action) {
    return vertx.setTimer(delayMillis, id -> action.run());
  }

  @Override
  public void cancel(long id) {
    // false when it has already fired, which is fine
    boolean unused = vertx.cancelTimer(id);
  }
}
