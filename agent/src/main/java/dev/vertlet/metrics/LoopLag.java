package dev.vertlet.metrics;

import dev.vertlet.meter.Metric;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.vertx.core.Vertx;
import java.time.Duration;

/**
 * How late event loops are: each is asked four times a second to do nothing, and the time by which
 * it does that too late is what anything else on it waits, too. An idle loop costs it nothing else.
 */
public final class LoopLag {
  /** Its label {@code loop} says which. */
  public static final Metric METRIC =
      Metric.histogram(
          "vertlet_event_loop_lag_seconds", "seconds", "by which an event loop is late", "loop");

  private static final long PERIOD_MILLIS = 250;

  private static final Duration[] BUCKETS = {
    Duration.ofMillis(1),
    Duration.ofMillis(2),
    Duration.ofMillis(5),
    Duration.ofMillis(10),
    Duration.ofMillis(20),
    Duration.ofMillis(50),
    Duration.ofMillis(100),
    Duration.ofMillis(500),
    Duration.ofSeconds(1)
  };

  private final Vertx vertx;
  private final Timer timer;
  private long id;
  private long due;

  private LoopLag(Vertx vertx, Timer timer) {
    this.vertx = vertx;
    this.timer = timer;
  }

  /**
   * Measures the current context's loop until {@link #stop}.
   *
   * @param loop for people
   */
  public static LoopLag start(Vertx vertx, String loop, MeterRegistry registry) {
    LoopLag lag = new LoopLag(vertx, METRIC.timer(registry, BUCKETS, loop));
    lag.arm();
    return lag;
  }

  /** Called on the loop that is measured. */
  public void stop() {
    // false when it has fired already, which is as good
    boolean unused = vertx.cancelTimer(id);
  }

  private void arm() {
    due = System.nanoTime() + Duration.ofMillis(PERIOD_MILLIS).toNanos();
    id = vertx.setTimer(PERIOD_MILLIS, fired -> turned());
  }

  private void turned() {
    timer.record(Duration.ofNanos(Math.max(0, System.nanoTime() - due)));
    arm();
  }
}
