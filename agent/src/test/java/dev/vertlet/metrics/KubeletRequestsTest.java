package dev.vertlet.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.metrics.KubeletRequests.Request;
import org.junit.jupiter.api.Test;

class KubeletRequestsTest {
  private static final String EXEC =
      "{long_running=\"true\",method=\"POST\",path=\"exec\",server_type=\"readwrite\"} ";
  private static final String OTHER =
      "{long_running=\"false\",method=\"other\",path=\"other\",server_type=\"readonly\"} ";
  private static final String RESOURCE =
      "{long_running=\"false\",method=\"GET\",path=\"metrics/resource\",server_type=\"readwrite\"}"
          + " ";
  private static final String METRICS =
      "{long_running=\"false\",method=\"GET\",path=\"metrics\",server_type=\"readwrite\"} ";

  @Test
  void requestsAreCountedAndTimedUnderTheKubeletsNames() {
    try (Metrics metrics = new Metrics("1.2.3", "abc", "v1.36.3")) {
      KubeletRequests requests = new KubeletRequests(metrics.registry());
      // when
      Request first = requests.begin("POST", "/exec/ns/pod/c", false);
      Request second = requests.begin("POST", "/exec/ns/other/c", false);
      // then
      assertThat(Metrics.scrape(metrics.registry()))
          .contains("kubelet_http_requests_total" + EXEC + "2.0")
          .contains("kubelet_http_inflight_requests" + EXEC + "2.0")
          .contains("kubelet_http_requests_duration_seconds_count" + EXEC + "0");
      // when
      first.end();
      first.end();
      second.end();
      // then
      assertThat(Metrics.scrape(metrics.registry()))
          .contains("kubelet_http_inflight_requests" + EXEC + "0.0")
          .contains("kubelet_http_requests_duration_seconds_count" + EXEC + "2");
    }
  }

  @Test
  void whatClientsMakeUpAddsNoLabels() {
    try (Metrics metrics = new Metrics("1.2.3", "abc", "v1.36.3")) {
      KubeletRequests requests = new KubeletRequests(metrics.registry());
      for (int i = 0; i < 100; i++) {
        requests.begin("M" + i, "/" + i + "/metrics", true).end();
      }
      requests.begin("GET", "/metrics/resource/", false).end();
      requests.begin("GET", "/metrics/", false).end();
      requests.begin("GET", "metrics", false).end();
      assertThat(Metrics.scrape(metrics.registry()))
          .contains("kubelet_http_requests_total" + OTHER + "100.0")
          .contains("kubelet_http_requests_total" + RESOURCE + "1.0")
          .contains("kubelet_http_requests_total" + METRICS + "2.0");
    }
  }
}
