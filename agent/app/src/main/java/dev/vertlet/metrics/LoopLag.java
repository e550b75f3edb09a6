package dev.vertlet.metrics;

import dev.vertlet.meter.Metric;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.vertx.core.Vertx;
import java.time.Duration;

/**
 * Measures the lag of event loops: four times a second a task is scheduled on each loop, and its
 * delay is the delay of all other tasks there. An idle loop has no other cost.
 */
public final class LoopLag {
  /** Histogram with the label {@code loop}. */
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
   * @param loop name of the loop in the metric
   */
  public static LoopLag start(Vertx vertx, String loop, MeterRegistry registry) {
    LoopLag lag = new LoopLag(vertx, METRIC.timer(registry, BUCKETS, loop));
    lag.arm();
    return lag;
  }

  /** Stops the measurement; call it on the measured loop. */
  public void stop() {
    // false when it has already fired, which is fine
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
