package dev.vertlet.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vertlet.config.node.AdoptConfig;
import dev.vertlet.config.node.PodRanges;
import dev.vertlet.model.node.NodeAddressView;
import dev.vertlet.model.node.NodeDecoder;
import dev.vertlet.model.node.NodeView;
import dev.vertlet.provider.node.NodeSpec;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AdoptConfigTest {
  private static final String KWOK = "{\"adopt\": {\"labelSelector\": \"type=kwok\"}%s}";

  private static AdoptConfig adopt(String more) {
    return TestConfig.load("{\"nodes\": [" + KWOK.formatted(more) + "]}").adopt().get(0);
  }

  private static List<String> mistakes(String nodes) {
    return TestConfig.mistakes("{\"nodes\": [" + nodes + "]}");
  }

  private static NodeView object(String spec, String status) {
    return NodeDecoder.decode(
        Buffer.buffer(
            """
            {"metadata": {"name": "n", "uid": "u", "labels": {"type": "kwok"}},
             "spec": %s, "status": %s}
            """
                .formatted(spec, status)));
  }

  private static NodeSpec bare(String more) {
    return adopt(more).node(object("{}", "{}"), "100.64.3.0/24").spec();
  }

  @Test
  void aBareNodeHasTheDefaults() {
    NodeSpec node = bare("");

    assertThat(node.name()).isEqualTo("n");
    assertThat(node.labels()).isEqualTo(Map.of("type", "kwok"));
    assertThat(node.taints()).isEmpty();
    assertThat(node.capacity()).containsEntry("cpu", "16").containsEntry("pods", "253");
    assertThat(node.addresses())
        .containsExactly(new NodeAddressView("InternalIP", TestConfig.HOST.address()));
    assertThat(node.podCidr()).isEqualTo("100.64.3.0/24");
    assertThat(node.nodeInfo().get("kubeletVersion")).startsWith("v1.36");
  }

  @Test
  @Tag("K03")
  void whatTheObjectSaysStandsAboveTheTemplate() {
    String status =
        """
        {"capacity": {"cpu": "4", "pods": "500"}, "allocatable": {"cpu": "3"},
         "addresses": [{"type": "InternalIP", "address": "10.1.2.3"}],
         "nodeInfo": {"kubeletVersion": "fake", "osImage": ""}}
        """;
    NodeSpec node =
        adopt(", \"capacity\": {\"cpu\": 64, \"memory\": \"1Ti\", \"example.com/a\": 2}")
            .node(object("{\"podCIDRs\": [\"10.9.0.0/16\", \"fd00::/64\"]}", status), "")
            .spec();

    assertThat(node.capacity())
        .containsEntry("cpu", "4")
        .containsEntry("memory", "1Ti")
        .containsEntry("pods", "500")
        .containsEntry("example.com/a", "2");
    assertThat(node.allocatable()).containsEntry("cpu", "3").containsEntry("memory", "1Ti");
    assertThat(node.hostIP()).isEqualTo("10.1.2.3");
    assertThat(node.nodeInfo()).containsEntry("kubeletVersion", "fake");
    assertThat(node.nodeInfo().get("osImage")).isNotEmpty();
    assertThat(node.podCidr()).isEqualTo("10.9.0.0/16,fd00::/64");
  }

  @Test
  void whatIsReservedIsTakenOffTheCapacityThatTheNodeHas() {
    String more = ", \"kubeReserved\": {\"cpu\": \"500m\", \"memory\": \"1Gi\"}";
    String status = "{\"capacity\": {\"cpu\": \"4\", \"memory\": \"512Mi\"}}";
    NodeSpec node = adopt(more).node(object("{}", status), "").spec();

    assertThat(node.allocatable()).containsEntry("cpu", "3500m").containsEntry("memory", "0");
  }

  @Test
  void aNodeNeedsNoMorePodsThanItHasAddressesUnlessItSays() {
    assertThat(bare("").capacity()).containsEntry("pods", "253");
    assertThat(adopt(", \"capacity\": {\"pods\": 1000}").podCidrMask()).isEqualTo(22);
    assertThat(adopt("").podCidrMask()).isEqualTo(24);
    assertThat(adopt(", \"podCIDRMask\": 20").podCidrMask()).isEqualTo(20);
  }

  /** Also beside the file that vertlet comes with, which names its node. */
  @Test
  void aFlagTurnsAnItemOfTheFileIntoOneThatAdopts() {
    String file =
        """
        {"nodes": [{"name": "v{i}", "count": 3, "labels": {"a": "b"}, "taints": [],
                    "staticPodPath": "/pods", "capacity": {"cpu": "64"}}]}\
        """;

    VertletConfig config =
        TestConfig.load(file, ConfigOverride.parse("nodes.0.adopt.labelSelector=type=kwok"));

    assertThat(config.nodes()).isEmpty();
    assertThat(config.adopt().get(0).labelSelector()).isEqualTo("type=kwok");
    assertThatThrownBy(
            () ->
                TestConfig.load(
                    file,
                    ConfigOverride.parse("nodes.0.adopt.labelSelector=type=kwok"),
                    ConfigOverride.parse("nodes.0.name=mine")))
        .hasMessage(
            "/nodes/0/name: must not be given beside adopt: adopted nodes have their own (set by"
                + " --set nodes.0.name)");
  }

  @Test
  void nodesAreMadeAndAdoptedSideBySide() {
    VertletConfig config =
        TestConfig.load("{\"nodes\": [{\"name\": \"a\"}, %s]}".formatted(KWOK.formatted("")));

    assertThat(config.nodes()).hasSize(1);
    assertThat(config.adopt()).hasSize(1);
    assertThat(config.adopt().get(0).template()).isEqualTo(1);
    assertThat(config.nodes().get(0).spec().podCidr())
        .isEqualTo(new PodRanges("10.128.0.0/9", 18).take("a"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          "name": "x" | name
          "count": 2 | count
          "labels": {} | labels
          "annotations": {} | annotations
          "taints": [] | taints
          "staticPodPath": "/x" | staticPodPath
          "staticPodURL": "https://x" | staticPodURL
          """)
  @Tag("K02")
  void whatAnAdoptedNodeHasOfItsOwnIsRefused(String key, String name) {
    assertThat(mistakes(KWOK.formatted(", " + key)))
        .singleElement()
        .asString()
        .startsWith("/nodes/0/" + name + ": must not be given beside adopt");
  }

  @ParameterizedTest
  @ValueSource(strings = {"type in (a", "=x", "a=b,,c", "Type_=/x", "a b", "-x"})
  void aSelectorThatTheServerWouldRefuseIsRefused(String selector) {
    assertThat(mistakes("{\"adopt\": {\"labelSelector\": \"%s\"}}".formatted(selector)))
        .singleElement()
        .asString()
        .startsWith("/nodes/0/adopt/labelSelector: \"" + selector + "\"");
  }

  @Test
  void everyNodeIsNotSelectedByAccident() {
    assertThat(mistakes("{\"adopt\": {\"labelSelector\": \"\"}}")).hasSize(1);
    assertThat(mistakes("{\"adopt\": {}}"))
        .containsExactly(
            "/nodes/0/adopt/labelSelector: is missing; must be a text that is not empty");
  }

  @Test
  void adoptedNodesAreNotConfiguredByTheCluster() {
    assertThat(
            TestConfig.mistakes(
                "{\"nodes\": [%s], \"configSync\": {\"enabled\": true}}"
                    .formatted(KWOK.formatted(""))))
        .singleElement()
        .asString()
        .startsWith("/configSync/enabled: true must be false beside nodes[0].adopt");
  }

  @Test
  void nodesAreNotSelfManagedUnlessTheirItemSaysSo() {
    assertThat(adopt("").selfManaged()).isFalse();
    assertThat(
            TestConfig.load(
                    "{\"nodes\": [{\"adopt\": {\"labelSelector\": \"a\", \"selfManaged\": true}}]}")
                .adopt()
                .get(0)
                .selfManaged())
        .isTrue();
  }

  @Test
  void agentsDoNotDivideSelfManagedNodes() {
    assertThat(
            TestConfig.mistakes(
                """
                {"nodes": [{"adopt": {"labelSelector": "a", "selfManaged": true}}],
                 "replicas": {"enabled": true}, "agent": {"identity": "a"}}
                """))
        .containsExactly(
            "/nodes/0/adopt/selfManaged: true must be false when replicas.enabled is true: Leases"
                + " say whose a node is");
  }

  @Test
  void allItemsThatAdoptHaveOneProvider() {
    assertThat(mistakes(KWOK.formatted("") + "," + KWOK.formatted(", \"provider\": \"remote\"")))
        .contains(
            "/nodes/1/provider: \"remote\" must be \"simulated\" as in nodes[0]: all items with"
                + " adopt have one provider");
  }

  @Test
  void blocksOfAdoptedNodesAreTheirsAlone() {
    assertThat(mistakes("{\"name\": \"a\"}, " + KWOK.formatted(", \"podCIDR\": \"10.128.0.0/9\"")))
        .singleElement()
        .asString()
        .contains("nodes that are adopted");
    assertThat(
            mistakes(KWOK.formatted("") + "," + KWOK.formatted(", \"podCIDR\": \"100.64.0.0/16\"")))
        .singleElement()
        .asString()
        .contains("overlaps");
  }

  @Test
  void agentsThatDivideAdoptedNodesNeedNoNames() {
    VertletConfig config =
        TestConfig.load(
            "{\"nodes\": [%s], \"replicas\": {\"enabled\": true}, \"agent\": {\"identity\": \"a\"}}"
                .formatted(KWOK.formatted("")));

    assertThat(config.replicas().enabled()).isTrue();
  }
}
