package dev.vertlet.api.route;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RouteTest {
  private static Route of(String path) {
    return Route.of(PathSegments.of(path));
  }

  @ParameterizedTest
  @CsvSource({
    "/healthz, HEALTHZ",
    "/healthz/ping, HEALTHZ",
    "/healthz/a/b, NOTHING",
    "/pods, PODS",
    "/pods/, PODS",
    "/pods/x, NOTHING",
    "/runningpods/, RUNNING_PODS",
    "/runningpods, RUNNING_PODS",
    "/containerLogs/n/p/c, CONTAINER_LOGS",
    "/containerLogs/n/p/c/, CONTAINER_LOGS",
    "/containerLogs/n/p, NOTHING",
    "/containerLogs/n/p/u/c, NOTHING",
    "/exec/n/p/c, EXEC",
    "/exec/n/p/u/c, EXEC",
    "/exec/n/p/u/c/d, NOTHING",
    "/attach/n/p/c, ATTACH",
    "/run/n/p/u/c, RUN",
    "/portForward/n/p, PORT_FORWARD",
    "/portForward/n/p/u, PORT_FORWARD",
    "/portForward/n, NOTHING",
    "/checkpoint/n/p/c, CHECKPOINT",
    "/checkpoint/n/p/u/c, NOTHING",
    "/stats/summary, STATS_SUMMARY",
    "/stats/summary/, STATS_SUMMARY",
    "/stats, NOTHING",
    "/metrics, METRICS",
    "/metrics/resource, METRICS_RESOURCE",
    "/metrics/probes, METRICS_PROBES",
    "/metrics/cadvisor, METRICS_CADVISOR",
    "/metrics/slis, NOTHING",
    "/metrics/resource/x, NOTHING",
    "/configz, CONFIGZ",
    "/logs, LOGS",
    "/logs/a/b, LOGS",
    "/debug/pprof/heap, PPROF",
    "/debug, NOTHING",
    "/debug/flags/v, NOTHING",
    "/nodes, NOTHING",
    "/nodes/a, NOTHING",
    "/nodes/a/pods, PODS",
    "/nodes/a/exec/n/p/c, EXEC",
    "/nodes/a/nodes/b/pods, NOTHING",
    "/Pods, NOTHING",
    "/, NOTHING"
  })
  void pathsMean(String path, Endpoint endpoint) {
    assertThat(of(path).endpoint()).isEqualTo(endpoint);
  }

  @Test
  void aPodIsNamedWithAndWithoutItsUid() {
    assertThat(of("/exec/n/p/c"))
        .isEqualTo(new Route(Endpoint.EXEC, "", "n", "p", "", "c", List.of()));
    assertThat(of("/nodes/a/exec/n/p/u/c"))
        .isEqualTo(new Route(Endpoint.EXEC, "a", "n", "p", "u", "c", List.of()));
    assertThat(of("/portForward/n/p/u"))
        .isEqualTo(new Route(Endpoint.PORT_FORWARD, "", "n", "p", "u", "", List.of()));
  }

  @ParameterizedTest
  @CsvSource({
    "/healthz/a/b, healthz proxy",
    "/pods/x, pods proxy",
    "/runningpods/, pods proxy",
    "/stats/x, stats",
    "/metrics/x, metrics",
    "/configz/x, configz proxy",
    "/checkpoint/x, checkpoint",
    "/logs/x, log",
    "/x, proxy",
    "/exec/n/p/c, proxy",
    "/, proxy"
  })
  void aPathThatLeadsNowhereNeedsWhatItsNeighboursNeed(String path, String subresources) {
    assertThat(of(path).subresources()).containsExactly(subresources.split(" "));
  }
}
