package dev.vertlet.harness.fault;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.harness.result.servicelevel.Source;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TrafficLogTest {
  private static final ApiRequest RENEWAL =
      ApiRequest.of("PUT", "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/node-0");
  private static final ApiRequest PATCH =
      ApiRequest.of("PATCH", "/api/v1/namespaces/ns/pods/p/status");

  private final TrafficLog log = new TrafficLog();

  @Test
  void requestsAreInTheOrderOfTheirArrival() {
    log.arrived(PATCH);
    log.arrived(RENEWAL);
    log.arrived(PATCH);

    assertThat(log.requests())
        .extracting(TrafficLog.Entry::request)
        .containsExactly(PATCH, RENEWAL, PATCH);
    assertThat(log.requests("*", "leases"))
        .extracting(TrafficLog.Entry::request)
        .containsExactly(RENEWAL);
  }

  @Test
  void aFloodOfOneKindTakesNoOtherKindAway() {
    log.arrived(RENEWAL);
    IntStream.range(0, 25_000).forEach(i -> log.arrived(PATCH));

    assertThat(log.requests("update", "leases")).hasSize(1);
    assertThat(log.requests("patch", "pods/status")).hasSize(20_000);
    assertThat(log.count("patch", "pods/status")).isEqualTo(25_000);
  }

  @Test
  void latenciesAreThoseOfRequestsForObjectsButWatches() {
    log.took(PATCH, 1_500_000_000);
    log.took(PATCH, 2_000_000);
    log.took(ApiRequest.of("GET", "/api/v1/pods?watch=1"), 1_000);
    log.took(ApiRequest.of("GET", "/readyz"), 1_000);

    assertThat(log.latencies())
        .singleElement()
        .satisfies(
            patches -> {
              assertThat(patches.kind().name()).isEqualTo("PATCH pods/status");
              assertThat(patches.source()).isEqualTo(Source.SUBJECT);
              assertThat(patches.count()).isEqualTo(2);
              assertThat(patches.p99()).isBetween(1_500.0, 1_502.0);
            });

    log.resetLatencies();
    assertThat(log.latencies()).isEmpty();
  }
}
