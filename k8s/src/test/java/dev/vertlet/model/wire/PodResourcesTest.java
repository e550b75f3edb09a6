package dev.vertlet.model.wire;

import static dev.vertlet.model.wire.Fixtures.JSON;
import static dev.vertlet.model.wire.Fixtures.PROTOBUF;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.model.PodRef;
import dev.vertlet.model.container.ResourcesView;
import dev.vertlet.model.status.PodResourcesView;
import dev.vertlet.model.status.PodStatusView;
import dev.vertlet.model.status.StatusPatch;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What statuses tell of the resources of a whole pod. */
class PodResourcesTest {
  private static final PodRef REF = new PodRef("ns", "p", "u");

  private static PodStatusView status(String contentType, String fields) {
    String pod =
        "{'metadata': {'name': 'p', 'namespace': 'ns', 'uid': 'u', 'resourceVersion': '7'}, 'status': {%s}}"
            .formatted(fields);
    return EncodedPods.decode(contentType, pod.replace('\'', '"')).status();
  }

  private static final String BOTH =
      "'allocatedResources': {'cpu': '1'},"
          + " 'resources': {'requests': {'cpu': '1'}, 'limits': {'memory': '1Gi'}}";

  @ParameterizedTest
  @ValueSource(strings = {JSON, PROTOBUF})
  void readsWhatAPodHas(String contentType) {
    PodResourcesView shown = status(contentType, BOTH).resources();

    assertThat(shown)
        .isEqualTo(
            new PodResourcesView(
                Map.of("cpu", "1"),
                new ResourcesView(Map.of("cpu", "1"), Map.of("memory", "1Gi"))));
    assertThat(status(contentType, "'resources': {}").resources()).isEqualTo(PodResourcesView.NONE);
    assertThat(status(contentType, "'phase': 'Running'").resources()).isNull();
  }

  @ParameterizedTest(name = "{0} -> {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      textBlock =
          """
          ^^                                        | 'resources': {}                           | "resources":{}
          'resources': {}                           | 'resources': {}                           | ^^
          ^^                                        | ^^                                        | ^^
          'resources': {'limits': {'cpu': '1'}}     | ^^                                        | ^^
          'resources': {'limits': {'cpu': '1'}}     | 'resources': {}                           | "resources":{"limits":null}
          'resources': {'limits': {'cpu': '1'}}     | 'resources': {'limits': {'memory': '1Gi'}} | "resources":{"limits":{"memory":"1Gi","cpu":null}}
          'allocatedResources': {'cpu': '1'}        | 'allocatedResources': {'cpu': '2'}        | "allocatedResources":{"cpu":"2"},"resources":{}
          """)
  void writesWhatDiffersByItsNames(String known, String wanted, String patch) {
    PodStatusView from = status(JSON, known);

    String text = StatusPatch.encode(REF, from, status(JSON, wanted)).toString(UTF_8);

    assertThat(text).isEqualTo("{\"metadata\":{\"uid\":\"u\"},\"status\":{" + patch + "}}");
  }

  /** Servers before 1.36 keep none: they come along with the first status and are not repeated. */
  @Test
  void aStatusWithoutThemIsAsGood() {
    assertThat(StatusPatch.needed(status(JSON, ""), status(JSON, BOTH))).isFalse();
    assertThat(StatusPatch.needed(status(JSON, BOTH), status(JSON, ""))).isFalse();
    assertThat(StatusPatch.needed(status(JSON, "'resources': {}"), status(JSON, BOTH))).isTrue();
    assertThat(StatusPatch.needed(status(PROTOBUF, BOTH), status(JSON, BOTH))).isFalse();
  }
}
