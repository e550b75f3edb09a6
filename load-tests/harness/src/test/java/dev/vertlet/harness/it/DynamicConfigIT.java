package dev.vertlet.harness.it;

import static dev.vertlet.testsupport.Waits.eventually;
import static dev.vertlet.testsupport.Waits.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.vertlet.apiserver.LoopbackPorts;
import dev.vertlet.harness.fault.FaultProxy;
import dev.vertlet.harness.fault.TrafficLog;
import dev.vertlet.testsupport.FullRing;
import dev.vertlet.testsupport.Measuring;
import dev.vertlet.testsupport.Rings;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeCondition;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nodes that are configured by ConfigMaps, on a real API server. */
@ClusterTest
class DynamicConfigIT {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration LOOK = Duration.ofMillis(200);

  /** What an edit may take that concerns many nodes, and what their pods may notice: nothing. */
  /**
   * An edit's share of the time in which a client writes to all nodes one after the other: 5 s of 2
   * s on the machine that docs/performance.md names.
   */
  private static final double EDIT = 2.5;

  private static final int NODES = Rings.isFull() ? 200 : 20;
  private static final int PODS = 10 * NODES;
  private static final int MOVED = 100;

  @TempDir private Path folder;

  private AgentProcess start(TestCluster cluster, String name, int count, String... settings)
      throws IOException {
    AgentProcess agent = launch(cluster, name, count, cluster.agentKubeconfig(), settings);
    agent.awaitReady();
    return agent;
  }

  private AgentProcess launch(
      TestCluster cluster, String name, int count, Path kubeconfig, String... settings)
      throws IOException {
    Path config = folder.resolve("vertlet.json");
    Files.writeString(
        config,
        """
        {"nodes": [{"name": "%s{i}", "count": %d, "capacity": {"cpu": "1000", "memory": "1Ti"}}],
         "configSync": {"enabled": true, "allowedNamespaces": ["%s"], "trialDuration": "1s"}}
        """
            .formatted(name, count, cluster.namespace()));
    return cluster.closeAfterTest(
        AgentProcess.Setup.of(folder, config, kubeconfig)
            .with("--set", "server.healthzPort=0")
            .with(settings)
            .start());
  }

  private static void configMap(TestCluster cluster, String name, String fields) {
    cluster
        .client()
        .resource(
            new ConfigMapBuilder()
                .withNewMetadata()
                .withName(name)
                .withNamespace(cluster.namespace())
                .endMetadata()
                .addToData(
                    "kubelet",
                    """
                    kind: KubeletConfiguration
                    apiVersion: kubelet.config.k8s.io/v1beta1
                    """
                        + fields)
                .build())
        .createOr(resource -> resource.update());
  }

  private static void assign(TestCluster cluster, String node, String configMap) {
    String source =
        "{\"configMap\":{\"namespace\":\"%s\",\"name\":\"%s\",\"kubeletConfigKey\":\"kubelet\"}}"
            .formatted(cluster.namespace(), configMap);
    cluster
        .client()
        .nodes()
        .withName(node)
        .patch(
            TestCluster.MERGE,
            new JsonObject()
                .put(
                    "metadata",
                    new JsonObject()
                        .put(
                            "annotations",
                            new JsonObject().put("vertlet.dev/config-source", source)))
                .encode());
  }

  private static JsonNode status(Node node) {
    try {
      return JSON.readTree(
          Objects.requireNonNullElse(
              node.getMetadata().getAnnotations().get("vertlet.dev/config-status"), "null"));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String condition(Node node) {
    return node.getStatus().getConditions().stream()
        .filter(condition -> condition.getType().equals("ConfigOK"))
        .findFirst()
        .map(condition -> condition.getStatus() + " " + condition.getReason())
        .orElse("");
  }

  private static String pods(Node node) {
    return String.valueOf(node.getStatus().getAllocatable().get("pods"));
  }

  private static JsonNode status(TestCluster cluster, String node) {
    return status(cluster.node(node));
  }

  private static String condition(TestCluster cluster, String node) {
    return condition(cluster.node(node));
  }

  private static String pods(TestCluster cluster, String node) {
    return pods(cluster.node(node));
  }

  private static void awaitCondition(TestCluster cluster, String node, String condition) {
    eventually(() -> assertThat(condition(cluster, node)).isEqualTo(condition));
  }

  private static void awaitPods(TestCluster cluster, String node, String allocatable) {
    eventually(() -> assertThat(pods(cluster, node)).isEqualTo(allocatable));
  }

  /** Waits until the trial of a node's first config is over; what it can go back to. */
  private static JsonNode awaitKnownGood(TestCluster cluster, String node) {
    eventually(() -> assertThat(status(cluster, node).at("/lastKnownGood/configMap")).isNotEmpty());
    return status(cluster, node).path("lastKnownGood");
  }

  @Test
  @Tag("A02")
  @Tag("A14")
  @Tag("A38")
  @Tag("A44")
  void aNodeRunsByItsConfigMapGoesBackFromABadOneAndComesBackByItself(TestCluster cluster)
      throws Exception {
    AgentProcess agent = start(cluster, "dynamic", 2);
    awaitCondition(cluster, "dynamic1", "True LocalConfig");
    configMap(cluster, "c1", "maxPods: 42\nnodeLeaseDurationSeconds: 20\n");

    assign(cluster, "dynamic1", "c1");

    awaitCondition(cluster, "dynamic1", "True RemoteConfig");
    awaitPods(cluster, "dynamic1", "42");
    assertThat(pods(cluster, "dynamic0")).isEqualTo("10k");
    eventually(
        () ->
            assertThat(cluster.lease("dynamic1").getSpec().getLeaseDurationSeconds())
                .isEqualTo(20));
    cluster.shows(
        "KubeletConfigChanged .* vertlet now uses /api/v1/namespaces/",
        "describe",
        "node",
        "dynamic1");
    assertThat(configz(cluster, "dynamic1").path("maxPods").asInt()).isEqualTo(42);
    eventually(
        () ->
            assertThat(status(cluster, "dynamic1").at("/lastKnownGood"))
                .as("after the trial")
                .isEqualTo(status(cluster, "dynamic1").at("/assigned"))
                .isNotEmpty());

    configMap(cluster, "c1", "maxPods: -1\n");

    awaitCondition(cluster, "dynamic1", "False RolledBack");
    JsonNode back = status(cluster, "dynamic1");
    assertThat(back.path("error").asText())
        .isEqualTo("failed to validate config, see Kubelet log for details");
    assertThat(back.at("/active")).isEqualTo(back.at("/lastKnownGood"));
    assertThat(back.at("/active")).isNotEqualTo(back.at("/assigned"));
    assertThat(pods(cluster, "dynamic1")).isEqualTo("42");
    assertThat(agent.log())
        .contains("/maxPods: invalid configuration: maxPods (--max-pods) -1 must not be");

    agent.kill();
    AgentProcess next = start(cluster, "dynamic", 2);
    awaitCondition(cluster, "dynamic1", "False RolledBack");
    assertThat(pods(cluster, "dynamic1")).isEqualTo("42");

    configMap(cluster, "c1", "maxPods: 43\n");
    awaitCondition(cluster, "dynamic1", "True RemoteConfig");
    awaitPods(cluster, "dynamic1", "43");

    cluster.kubectl("annotate", "node", "dynamic1", "vertlet.dev/config-source-");
    awaitCondition(cluster, "dynamic1", "True LocalConfig");
    awaitPods(cluster, "dynamic1", "10k");
    assertThat(status(cluster, "dynamic1")).hasToString("{}");
    assertThat(next.alive()).isTrue();
  }

  @Test
  @Tag("A50")
  void aNodeOfWhichNothingCanBeUsedIsWithheldAndNoOther(TestCluster cluster) throws Exception {
    AgentProcess agent = start(cluster, "withheld", 2);
    configMap(cluster, "w1", "maxPods: 42\n");
    assign(cluster, "withheld1", "w1");
    JsonNode good = awaitKnownGood(cluster, "withheld1").path("configMap");
    configMap(cluster, "w1", "maxPods: -1\n");
    awaitCondition(cluster, "withheld1", "False RolledBack");

    agent.kill();
    remove(
        folder.resolve(
            "data/dynamic-config/nodes/withheld1/checkpoints/%s/%s"
                .formatted(good.path("uid").asText(), good.path("resourceVersion").asText())));
    // from the usual range, the other node might get the port that this one has in its Node
    AgentProcess next =
        launch(cluster, "withheld", 2, cluster.agentKubeconfig(), "--set", "server.portRange=0");

    eventually(
        () -> assertThat(next.log()).contains("the last known good config cannot be used: "));
    Instant renewed = renewed(cluster, "withheld0");
    ZonedDateTime held = cluster.lease("withheld1").getSpec().getRenewTime();
    eventually(() -> assertThat(renewed(cluster, "withheld0")).isAfter(renewed));
    assertThat(cluster.lease("withheld1").getSpec().getRenewTime()).isEqualTo(held);
    assertThatThrownBy(() -> configz(cluster, "withheld1")).isNotNull();
    assertThat(configz(cluster, "withheld0").path("maxPods").asInt()).isEqualTo(10_000);
    assertThat(next.ready()).isFalse();
  }

  @Test
  void aNodeWhoseAgentLostItsDiskKeepsWhatItCanGoBackTo(TestCluster cluster) throws Exception {
    AgentProcess agent = start(cluster, "fresh", 1);
    configMap(cluster, "f1", "maxPods: 42\n");
    assign(cluster, "fresh0", "f1");
    JsonNode good = awaitKnownGood(cluster, "fresh0");
    configMap(cluster, "f2", "maxPods: -1\n");
    assign(cluster, "fresh0", "f2");
    awaitCondition(cluster, "fresh0", "False RolledBack");

    agent.kill();
    remove(folder.resolve("data/dynamic-config"));
    AgentProcess next = start(cluster, "fresh", 1);

    eventually(
        () ->
            assertThat(next.log())
                .contains("/maxPods: invalid configuration: maxPods (--max-pods) -1 must not be"));
    eventually(() -> assertThat(configz(cluster, "fresh0").path("maxPods").asInt()).isEqualTo(42));
    JsonNode back = status(cluster, "fresh0");
    assertThat(back.at("/active")).isEqualTo(good);
    assertThat(back.at("/lastKnownGood")).isEqualTo(good);
  }

  @Test
  void whatAFlagStandsAboveIsListedWithTheFlag(TestCluster cluster) throws Exception {
    start(
        cluster,
        "flagged",
        1,
        "--set",
        "nodes=[{\"name\":\"flagged0\",\"capacity\":{\"pods\":\"77\"}}]");
    configMap(cluster, "f1", "maxPods: 41\ncgroupDriver: systemd\n");
    assign(cluster, "flagged0", "f1");

    eventually(
        () -> assertThat(condition(cluster.node("flagged0"))).isEqualTo("True RemoteConfig"));
    assertThat(pods(cluster.node("flagged0"))).isEqualTo("77");
    assertThat(
            JSON.readTree(
                    cluster
                        .node("flagged0")
                        .getMetadata()
                        .getAnnotations()
                        .get("vertlet.dev/config-status-detail"))
                .path("ignoredBecause")
                .toString())
        .contains("\"--set nodes stands above it\":[\"/maxPods\"]")
        .contains("\"means nothing here\":[\"/cgroupDriver\"]");
  }

  private static void remove(Path directory) throws IOException {
    try (Stream<Path> all = Files.walk(directory)) {
      for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }

  private static Instant renewed(TestCluster cluster, String node) {
    return cluster.lease(node).getSpec().getRenewTime().toInstant();
  }

  /** A69: what a node shows is a payload, and changes nothing. */
  @Test
  @Tag("A69")
  void whatANodeShowsCanBeAssignedToIt(TestCluster cluster) throws Exception {
    AgentProcess agent = start(cluster, "shown", 1);
    JsonNode shown = configz(cluster, "shown0");
    configMap(cluster, "shown", "# as it is\n");
    cluster
        .client()
        .configMaps()
        .inNamespace(cluster.namespace())
        .withName("shown")
        .edit(map -> new ConfigMapBuilder(map).addToData("kubelet", shown.toString()).build());

    assign(cluster, "shown0", "shown");

    awaitCondition(cluster, "shown0", "True RemoteConfig");
    assertThat(agent.log()).contains("node configured").contains("changed=nothing");
    assertThat(configz(cluster, "shown0")).isEqualTo(shown);
  }

  /** Without a restart, and the other way round. */
  @Test
  void aPartOfTheLogIsLouderAsLongAsTheConfigSaysSo(TestCluster cluster) throws Exception {
    AgentProcess agent = start(cluster, "loud", 1);
    configMap(cluster, "loud", "logging: {vmodule: [{filePattern: lease, verbosity: 6}]}\n");

    assign(cluster, "loud0", "loud");

    eventually(() -> assertThat(agent.log()).contains("TRACE lease renewed node=loud0"));
    assertThat(configz(cluster, "loud0").at("/logging/vmodule/0/filePattern").asText())
        .isEqualTo("dev.vertlet.lease");
    cluster.kubectl("annotate", "node", "loud0", "vertlet.dev/config-source-");
    awaitCondition(cluster, "loud0", "True LocalConfig");
    assertThat(configz(cluster, "loud0").at("/logging/vmodule").isMissingNode()).isTrue();
    assertThat(agent.alive()).isTrue();
  }

  /** What only the whole process runs by ends it, and the next one runs by it. */
  @Test
  void aConfigOfTheProcessEndsItInOrder(TestCluster cluster) throws Exception {
    AgentProcess agent = start(cluster, "process", 1);
    configMap(cluster, "json", "contentType: application/json\nmaxPods: 7\n");

    assign(cluster, "process0", "json");

    assertThat(agent.exitCode()).isZero();
    assertThat(agent.log()).contains("the process exits to start with the node's config");
    start(cluster, "process", 1);
    awaitCondition(cluster, "process0", "True RemoteConfig");
    awaitPods(cluster, "process0", "7");
  }

  /** A67: each change ends the process, as a kubelet's, and the next one runs by it. */
  @Test
  @Tag("A67")
  void anAgentMayEndAtEachChangeAsKubeletsDid(TestCluster cluster) throws Exception {
    String[] exits = {"--set", "agent.configChangeMode=exit"};
    AgentProcess agent = start(cluster, "exits", 2, exits);
    configMap(cluster, "c1", "maxPods: 7\n");

    assign(cluster, "exits1", "c1");

    assertThat(agent.exitCode()).isZero();
    cluster.shows(
        "KubeletConfigChanged .* Kubelet restarting to use /api/v1/namespaces/"
            + cluster.namespace()
            + "/configmaps/c1, UID: \\S+, ResourceVersion: \\d+, KubeletConfigKey:"
            + " kubelet",
        "describe",
        "node",
        "exits1");
    AgentProcess next = start(cluster, "exits", 2, exits);
    awaitCondition(cluster, "exits1", "True RemoteConfig");
    awaitPods(cluster, "exits1", "7");
    assertThat(next.alive()).isTrue();
  }

  @Test
  @Tag("A10")
  @Tag("A47")
  void aKubeletMovesToAnotherPortUnderItsPods(TestCluster cluster) throws Exception {
    AgentProcess agent = start(cluster, "moves", 2);
    PodRecorder recorder = cluster.recordPods();
    cluster.pods().createMany("p", MOVED, i -> "moves1", pod -> pod);
    eventually(() -> assertThat(recorder.ready()).hasSize(MOVED));
    int before = port(cluster.node("moves1"));
    Map<String, String> pods = cluster.pods().versions();
    int port = LoopbackPorts.next();
    configMap(cluster, "port", "port: %d\n".formatted(port));

    assign(cluster, "moves1", "port");

    eventually(() -> assertThat(port(cluster.node("moves1"))).isEqualTo(port));
    assertThat(port(cluster.node("moves0"))).isNotIn(before, port);
    assertThat(cluster.kubectl("logs", "-n", cluster.namespace(), "p-0", "--tail=1"))
        .as("over the other port")
        .isNotEmpty();
    assertThat(configz(cluster, "moves1").path("port").asInt()).isEqualTo(port);
    awaitCondition(cluster, "moves1", "True RemoteConfig");

    try (ServerSocket taken = new ServerSocket(0)) {
      configMap(cluster, "port", "port: %d\n".formatted(taken.getLocalPort()));
      eventually(() -> assertThat(condition(cluster, "moves1")).startsWith("False "));
      assertThat(status(cluster, "moves1").path("error").asText())
          .isEqualTo("internal failure, see Kubelet log for details");
      assertThat(agent.log()).contains("port %d, which the".formatted(taken.getLocalPort()));
      assertThat(cluster.pods().versions()).as("no status was written").isEqualTo(pods);
      assertThat(recorder.violations()).isEmpty();
      assertThat(agent.alive()).isTrue();

      agent.kill();
      AgentProcess next = start(cluster, "moves", 2);
      assertThat(condition(cluster, "moves1")).startsWith("False ");
      assertThat(next.log()).contains("port %d: ".formatted(taken.getLocalPort()));
    }
  }

  private static int port(Node node) {
    return node.getStatus().getDaemonEndpoints().getKubeletEndpoint().getPort();
  }

  /** The commands do what annotating does, for many nodes in stages. */
  @FullRing
  @Test
  void aRolloutStopsAtTheFirstNodeThatCannotUseIt(TestCluster cluster) throws Exception {
    start(cluster, "staged", 4);
    cluster.kubectl("label", "node", "staged0", "staged1", "staged2", "staged3", "rollout=staged");
    configMap(cluster, "good", "maxPods: 42\n");
    configMap(cluster, "bad", "maxPods: -1\n");
    String[] access = {"--kubeconfig", kubeconfig(cluster)};
    String[] select = {"--selector", "rollout=staged", "--kubeconfig", kubeconfig(cluster)};

    assertThat(
            config(0, select, "set", "--config-map", cluster.namespace() + "/good", "--canary=1"))
        .contains("1 of 1 nodes run by " + cluster.namespace() + "/good key kubelet")
        .contains("3 of 3 nodes run by ");
    awaitPods(cluster, "staged3", "42");
    assertThat(config(0, access, "show", "staged3"))
        .contains("active     " + cluster.namespace() + "/good key kubelet version ")
        .contains("True RemoteConfig: using current: ");

    assertThat(
            config(1, select, "set", "--config-map", cluster.namespace() + "/bad", "--canary=25%"))
        .contains("staged0 fails: using last-known-good: ")
        .contains("paused: 3 nodes keep their configs");
    assertThat(condition(cluster, "staged1")).isEqualTo("True RemoteConfig");

    assertThat(config(0, select, "set", "--abort")).contains("1 nodes have their previous configs");
    awaitCondition(cluster, "staged0", "True RemoteConfig");
    assertThat(condition(cluster, "staged1")).isEqualTo("True RemoteConfig");

    configMap(cluster, "next", "maxPods: 43\n");
    assertThat(config(1, access, "diff", "staged0", "--config-map", cluster.namespace() + "/next"))
        .isEqualTo("/maxPods: 42 -> 43\n");
    assertThat(config(0, access, "diff", "staged0")).isEmpty();
    eventually(
        () ->
            assertThat(config(0, access, "history", "staged0").lines())
                .as("equal ones are counted")
                .hasSize(2)
                .anyMatch(line -> line.contains("vertlet now uses ") && line.contains("/good, "))
                .anyMatch(line -> line.contains("vertlet now uses ") && line.contains("/bad, ")));

    assertThat(config(0, select, "reset")).contains("4 of 4 nodes run by local config");
    assertThat(config(1, access, "diff", "staged0")).contains("is assigned no ConfigMap");
    assertThat(config(1, access, "reset", "nobody")).contains("nodes \"nobody\" not found");
  }

  private static String kubeconfig(TestCluster cluster) {
    return cluster.kubeconfig().toString();
  }

  /** Output and errors of {@code vertlet config}. */
  private String config(int exitCode, String[] more, String... arguments) throws Exception {
    List<String> all = new ArrayList<>(List.of("config"));
    all.addAll(List.of(arguments));
    all.addAll(List.of(more));
    Path dir = Files.createTempDirectory(folder, "config");
    Process process = Launcher.start(dir, all.toArray(String[]::new));
    Launcher.Outcome outcome = Launcher.await(process, dir);
    assertThat(outcome.exitCode()).as("%s", outcome).isEqualTo(exitCode);
    return outcome.out() + outcome.err();
  }

  private static JsonNode configz(TestCluster cluster, String node) throws IOException {
    return JSON.readTree(
            cluster.kubectl("get", "--raw", "/api/v1/nodes/" + node + "/proxy/configz"))
        .path("kubeletconfig");
  }

  @Test
  @Measuring
  void anEditOfAConfigMapThatManyNodesShareDisturbsNoPod(TestCluster cluster) throws Exception {
    Vertx vertx = Vertx.vertx();
    cluster.closeAfterTest(() -> get(vertx.close()));
    FaultProxy proxy =
        get(FaultProxy.start(vertx, cluster.agentKubeconfig(), folder, new Random(1)));
    configMap(cluster, "many", "maxPods: 100\n");
    launch(cluster, "many", NODES, proxy.kubeconfig()).awaitReady();
    PodRecorder recorder = cluster.recordPods();
    cluster.pods().createMany("p", PODS, i -> "many" + i % NODES, pod -> pod);
    eventually(() -> assertThat(recorder.ready()).hasSize(PODS));
    long begun = System.nanoTime();
    for (Node node : nodes(cluster)) {
      assign(cluster, node.getMetadata().getName(), "many");
    }
    long alone = System.nanoTime() - begun;
    eventually(
        () -> assertThat(running(cluster, "True RemoteConfig", Set.of("100"))).isEqualTo(NODES));
    // on from here only the edits are seen
    eventually(
        () ->
            assertThat(
                    nodes(cluster).stream()
                        .filter(node -> !status(node).at("/lastKnownGood").isMissingNode()))
                .as("after the trial")
                .hasSize(NODES));
    long gets = proxy.traffic().count("get", "configmaps");
    long writes = proxy.traffic().count("patch", "pods");
    long watches = proxy.traffic().count("watch", "configmaps");

    Duration good = edit(cluster, "maxPods: 101\n", "True RemoteConfig", Set.of("101"));
    // 101 is still on trial, unless the machine is slow
    Duration bad = edit(cluster, "maxPods: -1\n", "False RolledBack", Set.of("100", "101"));

    System.out.printf(
        "%d nodes run by an edit after %s, and are back from a bad one after %s%n",
        NODES, good, bad);
    assertThat((double) good.toNanos() / alone).as("edit").isLessThan(EDIT);
    assertThat((double) bad.toNanos() / alone).as("bad edit").isLessThan(EDIT);
    assertThat(nodes(cluster))
        .allSatisfy(
            node ->
                assertThat(status(node).path("error").asText())
                    .isEqualTo("failed to validate config, see Kubelet log for details"));
    assertThat(proxy.traffic().count("patch", "pods")).as("pod statuses").isEqualTo(writes);
    assertThat(proxy.traffic().count("get", "configmaps")).as("downloads").isEqualTo(gets);
    assertThat(proxy.traffic().count("watch", "configmaps") - watches).as("watches").isZero();
    assertThat(recorder.violations()).isEmpty();
    assertThat(longestLeaseGap(proxy.traffic())).isLessThan(Duration.ofSeconds(40));
  }

  /** How long it takes until all nodes say that they run by it, or that they do not. */
  private static Duration edit(
      TestCluster cluster, String fields, String condition, Set<String> allocatable) {
    long begun = System.nanoTime();
    configMap(cluster, "many", fields);
    eventually(() -> assertThat(running(cluster, condition, allocatable)).isEqualTo(NODES));
    return Duration.ofNanos(System.nanoTime() - begun);
  }

  private static List<Node> nodes(TestCluster cluster) {
    return cluster.client().nodes().list().getItems().stream()
        .filter(node -> node.getMetadata().getName().startsWith("many"))
        .toList();
  }

  private static long running(TestCluster cluster, String condition, Set<String> allocatable) {
    return nodes(cluster).stream()
        .filter(node -> condition(node).equals(condition) && allocatable.contains(pods(node)))
        .filter(node -> ready(node).equals("True"))
        .count();
  }

  private static String ready(Node node) {
    return node.getStatus().getConditions().stream()
        .filter(condition -> condition.getType().equals("Ready"))
        .map(NodeCondition::getStatus)
        .findFirst()
        .orElse("");
  }

  private static Duration longestLeaseGap(TrafficLog traffic) {
    Map<String, Long> last = new HashMap<>();
    long longest = 0;
    for (TrafficLog.Entry entry : traffic.requests("*", "leases")) {
      if (!entry.request().name().isEmpty()) {
        Long before = last.put(entry.request().name(), entry.nanoTime());
        longest = before == null ? longest : Math.max(longest, entry.nanoTime() - before);
      }
    }
    assertThat(last).hasSize(NODES);
    return Duration.ofNanos(longest);
  }
}
