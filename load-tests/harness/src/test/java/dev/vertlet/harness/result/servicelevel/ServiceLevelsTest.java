package dev.vertlet.harness.result.servicelevel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ServiceLevelsTest {
  @ParameterizedTest
  @CsvSource({
    "PATCH,            '',                        pods/status,      resource,  MUTATING",
    "APPLY,            apps,                      deployments,      resource,  MUTATING",
    "POST,             '',                        pods,             resource,  MUTATING",
    "DELETECOLLECTION, '',                        pods,             namespace, ",
    "GET,              coordination.k8s.io,       leases,           resource,  SINGLE_READS",
    "LIST,             '',                        pods,             resource,  SINGLE_READS",
    "LIST,             '',                        pods,             namespace, LISTS",
    "LIST,             '',                        pods,             cluster,   LISTS",
    "WATCH,            '',                        pods,             cluster,   ",
    "CONNECT,          '',                        pods/exec,        resource,  ",
    "GET,              '',                        pods/log,         resource,  ",
    "POST,             authorization.k8s.io,      subjectaccessreviews, cluster, ",
    "GET,              metrics.k8s.io,            pods,             resource,  ",
    "PUT,              example.com,               widgets,          resource,  ",
    "GET,              '',                        '',               '',        "
  })
  void aRequestCountsForTheLevelThatPromisesIt(
      String verb, String group, String resource, String scope, String level) {
    assertThat(ServiceLevel.of(new RequestKind(verb, group, resource, scope)))
        .isEqualTo(Optional.ofNullable(level).map(ServiceLevel::valueOf));
  }

  @Test
  void objectivesAreThoseOfTheOfficialDefinition() {
    assertThat(ServiceLevel.values())
        .extracting(ServiceLevel::limitMillis)
        .containsExactly(1_000.0, 1_000.0, 30_000.0, 5_000.0);
  }

  private static RequestLatency latency(String verb, String resource, Source source, double p99) {
    return new RequestLatency(
        RequestKind.ofClient(verb, resource, true, "ns"), source, 10, 1, 2, p99);
  }

  @Test
  void theSlowestMeasurementJudges() {
    ServiceLevels levels =
        ServiceLevels.judge(
            List.of(
                latency("patch", "pods/status", Source.API_SERVER, 12),
                latency("create", "pods", Source.LOAD, 30),
                latency("patch", "pods/status", Source.SUBJECT, 1_507)),
            40,
            5_000);

    LevelResult mutating = levels.of(ServiceLevel.MUTATING);
    assertThat(mutating.met()).isFalse();
    assertThat(mutating.p99()).isEqualTo(1_507);
    assertThat(mutating.count()).isEqualTo(10);
    assertThat(mutating.detail()).isEqualTo("PATCH pods/status, measured by the subject");
    assertThat(levels.of(ServiceLevel.POD_STARTUP).met()).isTrue();
    assertThat(levels.of(ServiceLevel.POD_STARTUP).count()).isEqualTo(40);
  }

  @Test
  void aLevelWithoutRequestsIsNotMissed() {
    LevelResult lists = ServiceLevels.judge(List.of(), 0, 0).of(ServiceLevel.LISTS);

    assertThat(lists.measured()).isFalse();
    assertThat(lists.met()).isTrue();
    assertThat(lists.detail()).isEmpty();
  }

  @Test
  void clientsNameRequestsAsTheApiServerDoes() {
    assertThat(RequestKind.ofClient("create", "pods", false, "ns").name()).isEqualTo("POST pods");
    assertThat(RequestKind.ofClient("update", "leases", true, "ns").name()).isEqualTo("PUT leases");
    assertThat(RequestKind.ofClient("list", "pods", false, "ns").name())
        .isEqualTo("LIST pods (namespace)");
    assertThat(RequestKind.ofClient("list", "nodes", false, "").name())
        .isEqualTo("LIST nodes (cluster)");
    assertThat(new RequestKind("PATCH", "apps", "deployments/status", "resource").name())
        .isEqualTo("PATCH deployments.apps/status");
  }

  @Test
  void anUnknownSourceIsRefused() {
    assertThatThrownBy(() -> Source.of("tea leaves"))
        .hasMessage("one of api_server, subject, load, watch");
  }
}
