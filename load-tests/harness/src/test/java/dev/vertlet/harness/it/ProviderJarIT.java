package dev.vertlet.harness.it;

import static dev.vertlet.testsupport.Waits.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An agent process that loads providers from a jar, on a real control plane. */
@ClusterTest
class ProviderJarIT {

  @TempDir private Path folder;

  private AgentProcess.Setup setup(TestCluster cluster, JsonObject settings) throws Exception {
    JsonObject capacity =
        new JsonObject().put("cpu", "100").put("memory", "100Gi").put("pods", "200");
    JsonArray nodes = new JsonArray();
    Stream.of("example", "example-containers", "simulated")
        .forEach(
            provider ->
                nodes.add(
                    new JsonObject()
                        .put("name", "ext-" + provider)
                        .put("provider", provider)
                        .put("capacity", capacity)
                        // the example takes every block for a /24
                        .put("podCIDRMask", 24)
                        .put("podCIDR", "10.77.0.0/16")));
    JsonObject config =
        new JsonObject()
            .put("nodes", nodes)
            .put(
                "providers",
                new JsonObject()
                    .put("directory", ExampleProvider.directory(folder).toString())
                    .put("settings", settings));
    Path file = Files.writeString(folder.resolve("vertlet.json"), config.encodePrettily());
    return AgentProcess.Setup.of(folder, file, cluster.agentKubeconfig());
  }

  /** virtual-kubelet E2EPodStatusUpdate: what each of them reports is what the server shows. */
  @Test
  @Tag("E2EPodStatusUpdate")
  void podsOfThreeProvidersRunInOneAgentAndSurviveItsRestart(TestCluster cluster) throws Exception {
    JsonObject settings =
        new JsonObject().put("example", new JsonObject().put("startDelay", "50ms"));
    AgentProcess.Setup setup = setup(cluster, settings);
    AgentProcess first = cluster.agent(setup);
    PodRecorder recorder = cluster.recordPods();
    cluster.pods().createMany("p", "ext-example", 20);
    cluster.pods().createMany("c", "ext-example-containers", 20);
    cluster.pods().createMany("s", "ext-simulated", 20);
    eventually(() -> assertThat(recorder.ready()).hasSize(60));
    // a pod's status does not wait for its events
    eventually(
        () -> assertThat(reasons(cluster)).contains("ProviderCreateSuccess").contains("Started"));

    Map<String, String> before = cluster.pods().versions();
    assertThat(first.terminate()).isZero();
    cluster.agent(setup);
    String probe = cluster.create("probe", "ext-example").getMetadata().getUid();
    eventually(() -> assertThat(recorder.ready()).contains(probe));
    assertThat(cluster.pods().versions()).containsAllEntriesOf(before);

    cluster.pods().deleteAll();
    eventually(() -> assertThat(recorder.gone()).hasSize(61));
    assertThat(recorder.violations()).isEmpty();
  }

  @Test
  void aSettingThatTheProviderRefusesEndsTheAgentWithOneLine(TestCluster cluster) throws Exception {
    JsonObject settings = new JsonObject().put("example", new JsonObject().put("startDelay", "2h"));

    AgentProcess agent = cluster.closeAfterTest(setup(cluster, settings).start());

    assertThat(agent.exitCode()).isEqualTo(2);
    assertThat(agent.log().strip())
        .isEqualTo(
            "vertlet: /providers/settings/example/startDelay: \"2h\" must be a duration from \"0s\""
                + " to \"1m0s\"");
  }

  private static List<String> reasons(TestCluster cluster) {
    return cluster
        .client()
        .v1()
        .events()
        .inNamespace(cluster.namespace())
        .list()
        .getItems()
        .stream()
        .map(event -> event.getReason())
        .distinct()
        .toList();
  }
}
