package dev.vertlet.streaming.session;

import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.ScheduledFuture;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Calls back after an idle time. Confined to its loop. */
final class IdleWatch {
  /** Checks per limit: activity is frequent, so it only resets a counter instead of a timer. */
  private static final int LOOKS = 8;

  private final Runnable expired;
  private final ScheduledFuture<?> timer;
  private int quiet;

  IdleWatch(EventExecutor loop, Duration limit, Runnable expired) {
    this.expired = expired;
    long period = Math.max(1, limit.toMillis() / LOOKS);
    this.timer = loop.scheduleAtFixedRate(this::look, period, period, TimeUnit.MILLISECONDS);
  }

  void touch() {
    quiet = 0;
  }

  private void look() {
    if (++quiet > LOOKS) {
      stop();
      expired.run();
    }
  }

  void stop() {
    timer.cancel(false);
  }
}
