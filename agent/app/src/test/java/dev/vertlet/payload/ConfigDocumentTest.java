package dev.vertlet.payload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.config.ConfigLoader;
import dev.vertlet.config.LoadedConfig;
import dev.vertlet.config.node.ConfiguredNode;
import dev.vertlet.config.process.Environment;
import dev.vertlet.config.process.Host;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConfigDocumentTest {
  private static final Host HOST =
      new Host("host-1", "127.0.0.1", "Debian", "6.1", 4, Path.of("/home/me"), false);

  private static JsonObject document(String json) {
    LoadedConfig loaded =
        new ConfigLoader(new Environment(Map.of(), HOST)).parse("test", json, List.of());
    String first = loaded.config().nodes().get(0).spec().name();
    return ConfigDocument.document(new NodeConfigs(loaded).local(first), 10_250);
  }

  /** A69, of all that a VertletConfiguration may hold. */
  @Test
  @Tag("A69")
  void whatIsShownWithItsSectionsCanBeAssigned() {
    LoadedConfig loaded =
        new ConfigLoader(new Environment(Map.of(), HOST))
            .parse(
                "test",
                """
                {"nodes": [{"name": "n{i}", "count": 2, "labels": {"zone": "z-1"},
                            "capacity": {"cpu": "3", "memory": "1Gi", "pods": "9"},
                            "kubeReserved": {"cpu": "500m"}}],
                 "agent": {"shutdownTimeout": "20s", "configChangeMode": "exit"},
                 "pods": {"syncFrequency": "7s"},
                 "simulated": {"seed": 5, "rules": [{"name": "slow", "startDelay": "1s"}]}}
                """,
                List.of());
    NodeConfigs configs = new NodeConfigs(loaded);
    for (String node : List.of("n0", "n1")) {
      NodeConfig before = configs.local(node);
      JsonObject shown = ConfigDocument.vertlet(before, ConfigDocument.document(before, 10_250));

      NodeConfig after =
          configs.plan(PayloadReader.read(shown.encode(), Path.of("/store"))).node(node);

      assertThat(after.changed(before)).as(shown.encodePrettily()).isEmpty();
      assertThat(shown.getJsonObject("node").getJsonObject("labels").getString("zone"))
          .isEqualTo("z-1");
    }
  }

  private static JsonObject ofNode(String keys) {
    return document("{\"nodes\": [{\"name\": \"n\", " + keys + "}]}");
  }

  @Test
  void aNumberOfPodsIsANumberHoweverItsQuantityIsWritten() {
    assertThat(ofNode("\"capacity\": {\"pods\": \"5k\"}").getInteger("maxPods")).isEqualTo(5000);
    assertThat(ofNode("\"capacity\": {\"pods\": 2000}").getInteger("maxPods")).isEqualTo(2000);
    assertThat(ofNode("\"capacity\": {\"pods\": \"1e3\"}").getInteger("maxPods")).isEqualTo(1000);
    assertThat(ofNode("\"capacity\": {\"pods\": \"7\"}").getInteger("maxPods")).isEqualTo(7);
  }

  @Test
  void whatIsTakenOffANodesCapacityIsShown() {
    JsonObject config =
        ofNode(
            "\"kubeReserved\": {\"cpu\": \"500m\", \"pid\": \"100\"},"
                + " \"systemReserved\": {\"memory\": \"1Gi\"}");

    assertThat(config.getJsonObject("kubeReserved"))
        .isEqualTo(new JsonObject().put("cpu", "500m").put("pid", "100"));
    assertThat(config.getJsonObject("systemReserved"))
        .isEqualTo(new JsonObject().put("memory", "1Gi"));
    assertThat(ofNode("\"count\": 1").fieldNames())
        .doesNotContain("kubeReserved", "systemReserved");
  }

  @Test
  void thresholdsOfEvictionAreShownAsTheyAreWritten() {
    JsonObject config =
        ofNode(
            "\"evictionHard\": {\"memory.available\": \"100Mi\", \"nodefs.available\": \"7.5%\","
                + " \"pid.available\": \"0%\"},"
                + " \"evictionSoft\": {\"memory.available\": \"1Gi\"},"
                + " \"evictionSoftGracePeriod\": {\"memory.available\": \"90s\"},"
                + " \"evictionMinimumReclaim\": {\"nodefs.available\": \"1Gi\"},"
                + " \"evictionMaxPodGracePeriod\": 30,"
                + " \"evictionPressureTransitionPeriod\": \"30s\"");

    // one of 0% is none
    assertThat(config.getJsonObject("evictionHard"))
        .isEqualTo(
            new JsonObject().put("memory.available", "100Mi").put("nodefs.available", "7.5%"));
    assertThat(config.getJsonObject("evictionSoft"))
        .isEqualTo(new JsonObject().put("memory.available", "1Gi"));
    assertThat(config.getJsonObject("evictionSoftGracePeriod"))
        .isEqualTo(new JsonObject().put("memory.available", "1m30s"));
    assertThat(config.getJsonObject("evictionMinimumReclaim"))
        .isEqualTo(new JsonObject().put("nodefs.available", "1Gi"));
    assertThat(config.getInteger("evictionMaxPodGracePeriod")).isEqualTo(30);
    assertThat(config.getString("evictionPressureTransitionPeriod")).isEqualTo("30s");
  }

  @Test
  void withoutAWordAKubeletsThresholdsCount() {
    JsonObject config = ofNode("\"count\": 1");

    assertThat(config.getJsonObject("evictionHard"))
        .isEqualTo(
            new JsonObject()
                .put("imagefs.available", "15%")
                .put("imagefs.inodesFree", "5%")
                .put("memory.available", "100Mi")
                .put("nodefs.available", "10%")
                .put("nodefs.inodesFree", "5%"));
    assertThat(config.fieldNames())
        .doesNotContain("evictionSoft", "evictionSoftGracePeriod", "evictionMinimumReclaim");
    assertThat(config.getInteger("imageGCHighThresholdPercent")).isEqualTo(85);
    assertThat(config.getInteger("imageGCLowThresholdPercent")).isEqualTo(80);
    assertThat(config.getString("imageMinimumGCAge")).isEqualTo("2m0s");
    assertThat(config.getString("imageMaximumGCAge")).isEqualTo("0s");
  }

  @Test
  void theNodesTaintsAreThoseItRegistersWith() {
    JsonObject config =
        ofNode("\"taints\": [{\"key\": \"k\", \"value\": \"v\", \"effect\": \"NoExecute\"}]");

    assertThat(config.getBoolean("registerNode")).isTrue();
    assertThat(config.getJsonArray("registerWithTaints"))
        .isEqualTo(
            new JsonArray()
                .add(
                    new JsonObject().put("key", "k").put("value", "v").put("effect", "NoExecute")));
    assertThat(ofNode("\"taints\": []").getJsonArray("registerWithTaints")).isEmpty();
  }

  @Test
  void whatIsSaidToTheApiServerAndHowIsShown() {
    assertThat(document("{}").getString("contentType"))
        .isEqualTo("application/vnd.kubernetes.protobuf");
    assertThat(document("{\"kubernetes\": {\"encoding\": \"json\"}}").getString("contentType"))
        .isEqualTo("application/json");
    assertThat(
            document("{\"agent\": {\"drainOnShutdown\": true, \"shutdownTimeout\": \"20s\"}}")
                .getString("shutdownGracePeriod"))
        .isEqualTo("20s");
    assertThat(document("{}").getString("shutdownGracePeriod")).isEqualTo("0s");
    assertThat(
            document("{\"server\": {\"tls\": {\"serverTLSBootstrap\": true}}}")
                .getBoolean("serverTLSBootstrap"))
        .isTrue();
  }

  /** A69, but for the cluster. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{\"agent\": {\"drainOnShutdown\": true, \"shutdownTimeout\": \"20s\"}}",
        "{\"log\": {\"format\": \"json\", \"levels\": {\"lease\": \"debug\"}},"
            + " \"featureGates\": {\"KubeletCrashLoopBackOffMax\": false}}",
        "{\"log\": {\"level\": \"debug\", \"levels\": {\"lease\": \"trace\"}}}",
        "{\"lease\": {\"duration\": \"30s\", \"renewInterval\": \"4s\"}, \"server\":"
            + " {\"logDirectory\": \"/var/log\", \"readOnlyPort\": 10255, \"tls\":"
            + " {\"tlsMinVersion\": \"VersionTLS13\"}}, \"dns\": {\"clusterDNS\": [\"10.0.0.10\"]},"
            + " \"kubernetes\": {\"encoding\": \"json\", \"kubeAPIQPS\": 500}, \"log\":"
            + " {\"format\": \"json\"}, \"nodes\": [{\"name\": \"v\", \"capacity\": {\"pods\":"
            + " \"5k\"}, \"kubeReserved\": {\"cpu\": \"500m\"}, \"staticPodPath\": \"/pods\","
            + " \"evictionHard\": {\"memory.available\": \"5%\"}, \"evictionSoft\":"
            + " {\"pid.available\": \"10%\"}, \"evictionSoftGracePeriod\": {\"pid.available\":"
            + " \"1m\"}, \"imageMaximumGCAge\": \"24h\", \"kubeAPIQPS\": 50, \"eventRecordQPS\": 9,"
            + " \"taints\": []}]}"
      })
  @Tag("A69")
  void a69WhatIsShownCanBeFedBackAndChangesNothing(String json) {
    LoadedConfig local =
        new ConfigLoader(new Environment(Map.of(), HOST)).parse("test", json, List.of());
    ConfiguredNode node = local.config().nodes().get(0);
    NodeConfigs configs = new NodeConfigs(local);
    JsonObject shown = ConfigDocument.document(configs.local(node.spec().name()), 10_250);

    NodeConfig fed =
        configs
            .plan(PayloadReader.read(shown.encode(), Path.of("/store")))
            .node(node.spec().name());

    assertThat(fed.changed(configs.local(node.spec().name()))).isEmpty();
    assertThat(fed.port()).isEqualTo(10_250);
  }

  @Test
  @Tag("A68")
  void a68WhatMeansNothingHereIsShown() {
    LoadedConfig local =
        new ConfigLoader(new Environment(Map.of(), HOST)).parse("test", "{}", List.of());
    String name = local.config().nodes().get(0).spec().name();
    String payload =
        "{kind: KubeletConfiguration, apiVersion: kubelet.config.k8s.io/v1beta1, cgroupDriver: x,"
            + " memorySwap: {swapBehavior: NoSwap}, maxPods: 7}";
    NodeConfig fed =
        new NodeConfigs(local).plan(PayloadReader.read(payload, Path.of("/store"))).node(name);

    JsonObject shown = ConfigDocument.document(fed, 10_250);

    assertThat(shown.getString("cgroupDriver")).isEqualTo("x");
    assertThat(shown.getJsonObject("memorySwap").getString("swapBehavior")).isEqualTo("NoSwap");
    assertThat(shown.getInteger("maxPods")).isEqualTo(7);
  }
}
