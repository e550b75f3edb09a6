package dev.vertlet.rollout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.configsync.ConfigAnnotations;
import dev.vertlet.rollout.ConfigNode.Progress;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConfigNodeTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final ConfigSource WANTED = new ConfigSource("ns", "c1", "kubelet");
  private static final String C1 =
      "{\"configMap\":{\"namespace\":\"ns\",\"name\":\"c1\",\"uid\":\"u\",\"resourceVersion\":\"7\","
          + "\"kubeletConfigKey\":\"kubelet\"}}";

  private static JsonNode json(String text) throws IOException {
    return JSON.readTree(text);
  }

  private static ConfigNode node(String status, String hash) throws IOException {
    ObjectNode node =
        (ObjectNode)
            json(
                "{\"metadata\":{\"name\":\"a\",\"annotations\":{}},\"status\":{\"conditions\":[{"
                    + "\"type\":\"ConfigOK\",\"status\":\"False\",\"reason\":\"RolledBack\",\"message\":\"m\"}]}}");
    ObjectNode annotations = (ObjectNode) node.at("/metadata/annotations");
    annotations.put(ConfigAnnotations.SOURCE, WANTED.json());
    if (!status.isEmpty()) {
      annotations.put(ConfigAnnotations.STATUS, status);
      annotations.put(
          ConfigAnnotations.DETAIL,
          ("{\"observedSourceHash\":\"%s\",\"ignoredFields\":[\"/x\",\"/y\"],"
                  + "\"ignoredBecause\":{\"means nothing here\":[\"/x\",\"/y\"]}}")
              .formatted(hash));
    }
    return new ConfigNode(node);
  }

  @Test
  void aNodeIsWaitedForUntilItsAgentHasLooked() throws IOException {
    String running = "{\"assigned\":" + C1 + ",\"active\":" + C1 + "}";
    String hash = WANTED.observedHash();

    assertThat(node("", "").progress(WANTED)).isEqualTo(Progress.WAITING);
    assertThat(node(running, "other").progress(WANTED)).isEqualTo(Progress.WAITING);
    assertThat(node("{\"assigned\":" + C1 + "}", hash).progress(WANTED))
        .isEqualTo(Progress.WAITING);
    assertThat(node(running, hash).progress(WANTED)).isEqualTo(Progress.RUNNING);
    assertThat(node("{\"error\":\"e\"}", hash).progress(WANTED)).isEqualTo(Progress.FAILED);
    assertThat(node("{}", "").progress(null)).isEqualTo(Progress.RUNNING);
    assertThat(node(running, "").progress(null)).isEqualTo(Progress.WAITING);
  }

  @Test
  void whatItRunsByIsShown() throws IOException {
    assertThat(node("{\"assigned\":" + C1 + ",\"error\":\"e\"}", "h").lines())
        .containsExactly(
            "node       a",
            "source     " + WANTED.json(),
            "assigned   ns/c1 key kubelet version 7",
            "active     local",
            "last good  local",
            "error      e",
            "ConfigOK   False RolledBack: m",
            "ignored    /x /y: means nothing here");
    assertThat(node("", "").lines())
        .endsWith("status     none: no agent with configSync.enabled serves this node");
    assertThat(node("", "").source()).isEqualTo(WANTED);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "c1", "/c1", "ns/", "a/b/c"})
  void aConfigMapIsNamedWithItsNamespace(String text) {
    assertThatThrownBy(() -> ConfigSource.parse(text, "kubelet"))
        .hasMessage(
            "\""
                + text
                + "\" must be NAMESPACE/NAME of a ConfigMap, such as kube-system/my-config");
  }

  @Test
  void aDifferenceIsAFieldThatThePayloadSets() throws IOException {
    JsonNode shown =
        json(
            "{\"kubeletconfig\":{\"kind\":\"K\",\"maxPods\":110,\"a\":{\"b\":1},\"c\":[1]},"
                + "\"vertletconfig\":{\"kubelet\":{\"c\":[1]},\"node\":{\"x\":1}}}");

    assertThat(
            PayloadDiff.lines(
                shown,
                json("{\"kind\":\"X\",\"maxPods\":42,\"a\":{\"b\":1},\"d\":\"e\",\"f\":null}")))
        .containsExactly("/d: unset -> \"e\"", "/maxPods: 110 -> 42");
    assertThat(
            PayloadDiff.lines(
                shown, json("{\"kind\":\"VertletConfiguration\",\"kubelet\":{\"c\":[2]}}")))
        .containsExactly("/kubelet/c: [1] -> [2]");
    assertThat(PayloadDiff.lines(shown, shown.path("kubeletconfig"))).isEmpty();
  }
}
