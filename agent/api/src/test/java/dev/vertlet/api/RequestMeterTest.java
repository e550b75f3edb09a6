package dev.vertlet.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.api.route.Endpoint;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class RequestMeterTest {
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final RequestMeter meter = new RequestMeter(registry);

  @Test
  void aRequestCountsWhenItComesAndItsTimeWhenItIsOver() {
    RequestMeter.Began session = meter.began(Endpoint.EXEC, "POST", false, true);

    assertThat(registry.get("kubelet_http_requests_total").counter().count()).isEqualTo(1);
    assertThat(registry.get("kubelet_http_inflight_requests").gauge().value()).isEqualTo(1);
    assertThat(registry.get("kubelet_http_requests_duration_seconds").timer().count()).isZero();

    session.ended(Duration.ofHours(1));

    assertThat(registry.get("kubelet_http_inflight_requests").gauge().value()).isZero();
    assertThat(
            registry
                .get("kubelet_http_requests_duration_seconds")
                .tags("path", "exec", "long_running", "true", "server_type", "readwrite")
                .timer()
                .count())
        .isEqualTo(1);
  }

  @Test
  void sessionsOverWebSocketsAreCountedByWhatTheyAreFor() {
    meter.began(Endpoint.PORT_FORWARD, "GET", false, true);
    meter.began(Endpoint.PORT_FORWARD, "GET", false, false);
    meter.began(Endpoint.PODS, "GET", false, true);

    assertThat(registry.get("kubelet_websocket_streaming_requests_total").counters())
        .singleElement()
        .satisfies(
            counter -> {
              assertThat(counter.getId().getTag("subresource")).isEqualTo("portforward");
              assertThat(counter.count()).isEqualTo(1);
            });
  }

  @Test
  void noClientMakesANewKindOfRequest() {
    for (int i = 0; i < 100; i++) {
      meter.began(Endpoint.NOTHING, "METHOD" + i, true, false).ended(Duration.ofMillis(1));
    }

    assertThat(registry.get("kubelet_http_requests_total").counters())
        .singleElement()
        .satisfies(
            counter -> {
              assertThat(counter.getId().getTag("method")).isEqualTo("other");
              assertThat(counter.getId().getTag("server_type")).isEqualTo("readonly");
              assertThat(counter.count()).isEqualTo(100);
            });
  }
}
