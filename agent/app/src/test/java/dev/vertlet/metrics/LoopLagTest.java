package dev.vertlet.metrics;

import static dev.vertlet.testsupport.Waits.eventually;
import static dev.vertlet.testsupport.Waits.get;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LoopLagTest {
  private final Vertx vertx = Vertx.vertx();
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

  @AfterEach
  void close() throws Exception {
    get(vertx.close());
  }

  @Test
  void aLoopThatIsHeldUpShowsIt() {
    Context loop = vertx.getOrCreateContext();
    loop.runOnContext(
        v -> {
          LoopLag started = LoopLag.start(vertx, "shard 0", registry);
          assertThat(started).isNotNull();
          hold(Duration.ofMillis(350));
        });

    eventually(() -> assertThat(count("shard 0")).isPositive());
    assertThat(registry.get(LoopLag.METRIC.name()).timer().max(MILLISECONDS))
        .isGreaterThanOrEqualTo(99);
  }

  @Test
  void isMeasuredNoLongerOnceStopped() {
    Context loop = vertx.getOrCreateContext();
    loop.runOnContext(v -> LoopLag.start(vertx, "shard 0", registry).stop());
    loop.runOnContext(v -> LoopLag.start(vertx, "main", registry));

    eventually(() -> assertThat(count("main")).isPositive());
    assertThat(count("shard 0")).isZero();
  }

  private long count(String loop) {
    Timer timer = registry.find(LoopLag.METRIC.name()).tag("loop", loop).timer();
    return timer == null ? 0 : timer.count();
  }

  /** Keeps a loop busy, as bad code would. */
  private static void hold(Duration time) {
    long end = System.nanoTime() + time.toNanos();
    while (System.nanoTime() < end) {
      Thread.onSpinWait();
    }
  }
}
