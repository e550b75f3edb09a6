package dev.vertlet.agent;

import static dev.vertlet.testsupport.Waits.eventually;
import static dev.vertlet.testsupport.Waits.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vertlet.apiserver.ApiServerOptions;
import dev.vertlet.apiserver.EmbeddedApiServer;
import dev.vertlet.config.ConfigLoader;
import dev.vertlet.config.LoadedConfig;
import dev.vertlet.config.document.ConfigException;
import dev.vertlet.config.process.Environment;
import dev.vertlet.config.process.Host;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A whole agent that plays stages on its nodes, over an embedded API server. */
@ExtendWith(VertxExtension.class)
class StagesTest {
  private static final Host HOST =
      new Host("host-1", "192.0.2.7", "Debian", "6.1", 4, Path.of("/home/me"), false);

  private static final Path EXAMPLES = Path.of("..", "..", "conf", "examples", "stages");

  @TempDir private Path folder;
  private Vertx vertx;
  private EmbeddedApiServer server;
  private @Nullable Agent agent;

  @BeforeEach
  void start(Vertx given) {
    vertx = given;
    server = get(EmbeddedApiServer.start(vertx, ApiServerOptions.defaults().withPlainHttp()));
    get(server.writeKubeconfig(folder.resolve("kubeconfig")));
  }

  @AfterEach
  void stop() {
    if (agent != null) {
      get(agent.stop());
    }
    get(server.stop());
  }

  private LoadedConfig load(String nodes, Path stages) {
    String config =
        """
        {"nodes": [%s], "stages": {"files": ["%s"]},
         "agent": {"identity": "me", "dataDir": "%s"},
         "kubernetes": {"kubeconfig": "%s"},
         "lease": {"duration": "4s", "renewInterval": "1s"},
         "server": {"port": 0, "portRange": 0, "healthzPort": 0, "address": "127.0.0.1",
                    "kubeletAddress": "127.0.0.1"}}
        """
            .formatted(
                nodes,
                stages.toAbsolutePath(),
                folder.resolve("data"),
                folder.resolve("kubeconfig"));
    return new ConfigLoader(new Environment(Map.of(), HOST)).parse("test", config, List.of());
  }

  private void agent(String nodes) {
    agent = get(Agent.start(load(nodes, EXAMPLES), vertx, new SimpleMeterRegistry(), () -> {}));
  }

  private JsonNode status(String plural, String namespace, String name) {
    return get(server.objects().find(plural, namespace, name))
        .map(object -> object.path("status"))
        .orElseThrow(() -> new AssertionError(name + " does not exist"));
  }

  private static String ready(JsonNode status) {
    for (JsonNode condition : status.path("conditions")) {
      if (condition.path("type").asText().equals("Ready")) {
        return condition.path("status").asText();
      }
    }
    return "";
  }

  private void pod(String name, String node, String namespace) {
    get(
        server
            .objects()
            .create(
                "pods",
                """
                {"apiVersion": "v1", "kind": "Pod",
                 "metadata": {"name": "%s", "namespace": "%s",
                              "annotations": {"example.com/delay": "1ms"}},
                 "spec": {"nodeName": "%s", "containers": [{"name": "c", "image": "i"}]}}
                """
                    .formatted(name, namespace, node)));
  }

  @Test
  @Tag("G02")
  void stagesMakeTheNodeReadyAndItsPodsRun() {
    agent(
        "{\"name\": \"staged\", \"count\": 1, \"provider\": \"stages\","
            + " \"capacity\": {\"cpu\": 7}, \"podCIDR\": \"10.44.0.0/24\"},"
            + " {\"name\": \"other\", \"count\": 1}");
    eventually(() -> assertThat(ready(status("nodes", "", "staged"))).isEqualTo("True"));
    assertThat(status("nodes", "", "staged").at("/capacity/cpu").asText()).isEqualTo("7");
    for (int i = 0; i < 5; i++) {
      pod("p" + i, "staged", "default");
    }
    pod("kubelet", "other", "default");
    eventually(
        () -> {
          for (int i = 0; i < 5; i++) {
            assertThat(status("pods", "default", "p" + i).path("phase").asText())
                .isIn("Running", "Failed");
          }
          assertThat(ready(status("pods", "default", "kubelet"))).isEqualTo("True");
        });
    JsonNode running =
        java.util.stream.IntStream.range(0, 5)
            .mapToObj(i -> status("pods", "default", "p" + i))
            .filter(status -> status.path("phase").asText().equals("Running"))
            .findFirst()
            .orElseThrow();
    assertThat(running.path("podIP").asText()).startsWith("10.44.0.");
    assertThat(running.path("hostIP").asText()).isEqualTo("192.0.2.7");
    get(server.objects().delete("pods", "default", "p0"));
    eventually(() -> assertThat(get(server.objects().find("pods", "default", "p0"))).isEmpty());
    eventually(
        () ->
            assertThat(get(server.objects().find("leases", "kube-node-lease", "staged")))
                .isPresent());
  }

  @Test
  @Tag("G02")
  void nodesOfOtherProgramsAreAdopted() {
    get(
        server
            .objects()
            .create(
                "nodes",
                """
                {"apiVersion": "v1", "kind": "Node",
                 "metadata": {"name": "fake", "labels": {"type": "kwok"}},
                 "spec": {"podCIDR": "10.45.0.0/24", "podCIDRs": ["10.45.0.0/24"]}}
                """));
    pod("early", "fake", "default");
    agent("{\"adopt\": {\"labelSelector\": \"type=kwok\"}, \"provider\": \"stages\"}");
    eventually(() -> assertThat(ready(status("nodes", "", "fake"))).isEqualTo("True"));
    eventually(
        () ->
            assertThat(status("pods", "default", "early").path("phase").asText())
                .isIn("Running", "Failed"));
  }

  @Test
  @Tag("G06")
  void aBrokenStageKeepsTheAgentFromStarting() throws IOException {
    Path broken = folder.resolve("broken.yaml");
    Files.writeString(
        broken,
        """
        apiVersion: kwok.x-k8s.io/v1alpha1
        kind: Stage
        metadata: {name: broken}
        spec:
          resourceRef: {kind: Pod}
          selector: {}
          next:
            statusTemplate: |
              phase: Running
              podIP: {{ Address .spec.nodeName }}
        """);
    assertThatThrownBy(() -> load("{\"name\": \"a\", \"provider\": \"stages\"}", broken))
        .isInstanceOfSatisfying(
            ConfigException.class,
            refused ->
                assertThat(refused.problems())
                    .singleElement()
                    .asString()
                    .contains("/stages/files", broken + ":10:", "Address"));
  }
}
