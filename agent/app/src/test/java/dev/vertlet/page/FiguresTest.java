package dev.vertlet.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class FiguresTest {
  private final MeterRegistry registry = new SimpleMeterRegistry();
  private final Figures figures = new Figures(registry);

  private void call(String operation, String code, long millis) {
    registry
        .timer("vertlet_remote_call_duration_seconds", "operation", operation, "code", code)
        .record(Duration.ofMillis(millis));
  }

  /** Holds the value, which the registry itself would not. */
  private void gauge(String name, double value) {
    Gauge.builder(name, () -> value).register(registry);
  }

  @Test
  void withoutABackEndNothingIsSaidOfOne() {
    assertThat(figures.backend()).isNull();
  }

  @Test
  void callsOfABackEndAreSummedAndThoseThatItFailedCounted() {
    gauge("vertlet_remote_calls_in_flight", 3);
    gauge("vertlet_remote_stream_age_seconds", 1.25);
    call("put", "200", 10);
    call("put", "200", 20);
    call("put", "500", 30);
    call("list", "none", 40);
    call("delete", "404", 0);
    call("exec", "501", 0);

    assertThat(figures.backend())
        .isEqualTo(
            new JsonObject()
                .put("calls", 6L)
                .put("failed", 2L)
                .put("meanMs", 16.7)
                .put("slowestMs", 40.0)
                .put("inFlight", 3L)
                .put("silentSeconds", 1.3));
  }
}
