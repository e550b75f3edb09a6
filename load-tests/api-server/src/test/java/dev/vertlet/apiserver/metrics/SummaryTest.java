package dev.vertlet.apiserver.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.apiserver.api.Json;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SummaryTest {
  private static final String STATS =
      """
      "cpu": {"time": "2026-01-02T03:04:05+01:00", "usageNanoCores": 250000000},
      "memory": {"time": "2026-01-02T03:04:06+01:00", "workingSetBytes": 209715200}
      """;

  private static Summary summary(String first, String second) {
    return Summary.of(
        Json.parse(
            """
            {"node": {"nodeName": "n", %s},
             "pods": [{"podRef": {"name": "p", "namespace": "ns", "uid": "u"},
               "containers": [{"name": "a", %s}, {"name": "b", %s}]}]}
            """
                .formatted(STATS, first, second)));
  }

  @Test
  void readsANodeAndItsPods() {
    Usage expected = new Usage(Instant.parse("2026-01-02T02:04:05Z"), 250_000_000, 209_715_200);

    Summary summary = summary(STATS, STATS);

    assertThat(summary.node()).contains(expected);
    assertThat(summary.pods()).containsOnlyKeys("ns/p");
    assertThat(summary.pods().get("ns/p")).containsOnlyKeys("a", "b").containsValue(expected);
    assertThat(expected.toJson()).isEqualTo(Json.parse("{\"cpu\":\"250m\",\"memory\":\"200Mi\"}"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"startTime\": null",
        "\"cpu\": {\"time\": \"2026-01-02T03:04:05Z\", \"usageNanoCores\": 1}",
        "\"memory\": {\"workingSetBytes\": 1}",
        "\"cpu\": {\"time\": \"now\", \"usageNanoCores\": 1}, \"memory\": {\"workingSetBytes\": 1}",
        "\"cpu\": {\"time\": \"2026-01-02T03:04:05Z\"}, \"memory\": {\"workingSetBytes\": 1}"
      })
  void aPodWithAContainerThatWasNotMeasuredIsLeftOut(String stats) {
    assertThat(summary(STATS, stats).pods()).isEmpty();
  }

  @Test
  void anEmptyDocumentTellsNothing() {
    assertThat(Summary.of(Json.object())).isEqualTo(Summary.NONE);
  }
}
