package dev.vertlet.harness.it;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.vertlet.harness.fault.FaultProxy;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Three agents that divide the nodes, and lose one of them in each way there is. */
@ClusterTest
class ReplicasIT {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** Of the nodes' Leases. */
  private static final Duration LEASE = Duration.ofSeconds(10);

  /** What a takeover may take beyond the Lease. */
  private static final Duration SLACK = Duration.ofSeconds(5);

  private static final int NODES = 30;
  private static final int PODS = 300;
  private static final Set<String> ALL = Set.of("rep-a", "rep-b", "rep-c");

  @TempDir private Path folder;

  private AgentProcess start(TestCluster cluster, String identity, Path kubeconfig)
      throws IOException {
    Path own = Files.createDirectories(folder.resolve(identity));
    Path config = own.resolve("vertlet.json");
    Files.writeString(
        config,
        """
        {"nodes": [{"name": "rep{i}", "count": %d, "capacity": {"cpu": "1000", "memory": "1Ti"}}],
         "agent": {"identity": "%s"},
         "lease": {"duration": "10s", "renewInterval": "2s"},
         "replicas": {"enabled": true, "group": "it", "namespace": "vertlet-system",
                      "duration": "6s", "renewInterval": "2s"},
         "server": {"portRange": 0, "healthzPort": 0}}
        """
            .formatted(NODES, identity));
    return cluster.closeAfterTest(AgentProcess.Setup.of(own, config, kubeconfig).start());
  }

  private static Map<String, String> owners(TestCluster cluster) {
    Map<String, String> owners = new TreeMap<>();
    for (Lease lease : leases(cluster)) {
      owners.put(
          lease.getMetadata().getName(),
          lease.getMetadata().getAnnotations().get("vertlet.dev/agent"));
    }
    return owners;
  }

  private static List<Lease> leases(TestCluster cluster) {
    return cluster.client().leases().inNamespace("kube-node-lease").list().getItems().stream()
        .filter(lease -> lease.getMetadata().getName().matches("rep[0-9]+"))
        .toList();
  }

  private static Set<String> of(Map<String, String> owners, String agent) {
    return owners.entrySet().stream()
        .filter(entry -> agent.equals(entry.getValue()))
        .map(Map.Entry::getKey)
        .collect(Collectors.toSet());
  }

  private static void soon(Duration limit, ThrowingRunnable assertion) {
    await().atMost(limit).pollInterval(Duration.ofMillis(200)).untilAsserted(assertion);
  }

  /** All nodes are served by these, each by one that renewed its Lease since. */
  private static void served(TestCluster cluster, Set<String> agents, Instant since) {
    assertThat(Set.copyOf(owners(cluster).values())).isEqualTo(agents);
    assertThat(leases(cluster))
        .hasSize(NODES)
        .allSatisfy(lease -> assertThat(lease.getSpec().getRenewTime().toInstant()).isAfter(since));
  }

  private static void runs(TestCluster cluster, PodRecorder recorder, String prefix, int before) {
    cluster.pods().createMany(prefix, NODES, i -> "rep" + i, pod -> pod);
    soon(PATIENCE, () -> assertThat(recorder.ready()).hasSize(before + NODES));
    assertThat(recorder.violations()).isEmpty();
  }

  @Test
  void whatOneOfThreeLeavesTheOthersServeAndNothingStartsTwice(TestCluster cluster)
      throws Exception {
    String right = Manifests.REPLICAS.toString();
    cluster.controlPlane().kubectl("apply", "-k", right);
    cluster.closeAfterTest(() -> cluster.controlPlane().kubectl("delete", "-k", right));
    Vertx vertx = Vertx.vertx();
    cluster.closeAfterTest(() -> vertx.close().await(10, SECONDS));
    FaultProxy proxy =
        FaultProxy.start(vertx, cluster.agentKubeconfig(), folder, new Random(1))
            .await(30, SECONDS);
    AgentProcess a = start(cluster, "rep-a", cluster.agentKubeconfig());
    AgentProcess b = start(cluster, "rep-b", cluster.agentKubeconfig());
    AgentProcess c = start(cluster, "rep-c", proxy.kubeconfig());
    for (AgentProcess agent : List.of(a, b, c)) {
      soon(PATIENCE, () -> assertThat(agent.ready()).isTrue());
    }
    soon(PATIENCE, () -> served(cluster, ALL, Instant.now().minus(LEASE)));
    Map<String, String> divided = owners(cluster);
    PodRecorder recorder = cluster.recordPods();
    cluster.pods().createMany("p", PODS, i -> "rep" + i % NODES, pod -> pod);
    soon(PATIENCE, () -> assertThat(recorder.ready()).hasSize(PODS));

    // one dies
    Instant killed = Instant.now();
    a.kill();
    soon(
        LEASE.plus(SLACK), () -> served(cluster, Set.of("rep-b", "rep-c"), killed.minusSeconds(1)));
    assertThat(owners(cluster)).containsAllEntriesOf(without(divided, "rep-a"));
    runs(cluster, recorder, "killed", PODS);

    // and comes again
    AgentProcess again = start(cluster, "rep-a", cluster.agentKubeconfig());
    soon(PATIENCE, () -> assertThat(again.ready()).isTrue());
    soon(PATIENCE, () -> assertThat(owners(cluster)).isEqualTo(divided));
    runs(cluster, recorder, "again", PODS + NODES);

    // one stands still, and goes on when its nodes are others'
    Instant paused = Instant.now();
    b.pause();
    soon(
        LEASE.plus(SLACK), () -> served(cluster, Set.of("rep-a", "rep-c"), paused.minusSeconds(1)));
    runs(cluster, recorder, "paused", PODS + 2 * NODES);
    b.resume();
    soon(PATIENCE, () -> assertThat(owners(cluster)).isEqualTo(divided));
    runs(cluster, recorder, "resumed", PODS + 3 * NODES);

    // one reaches nobody
    Instant cut = Instant.now();
    proxy.refuse().await(10, SECONDS);
    proxy.cutAll().await(10, SECONDS);
    soon(LEASE.plus(SLACK), () -> served(cluster, Set.of("rep-a", "rep-b"), cut.minusSeconds(1)));
    runs(cluster, recorder, "cut", PODS + 4 * NODES);
    proxy.accept().await(10, SECONDS);
    soon(PATIENCE, () -> assertThat(owners(cluster)).isEqualTo(divided));
    runs(cluster, recorder, "healed", PODS + 5 * NODES);

    // one leaves in order
    Instant left = Instant.now();
    assertThat(again.terminate()).isZero();
    soon(SLACK, () -> served(cluster, Set.of("rep-b", "rep-c"), left.minus(LEASE)));
    cluster.pods().deleteAll();
    soon(PATIENCE, () -> assertThat(recorder.present()).isEmpty());
    assertThat(recorder.violations()).isEmpty();
  }

  private static Map<String, String> without(Map<String, String> owners, String agent) {
    Set<String> gone = of(owners, agent);
    return IntStream.range(0, NODES)
        .mapToObj(i -> "rep" + i)
        .filter(node -> !gone.contains(node))
        .collect(Collectors.toMap(node -> node, node -> String.valueOf(owners.get(node))));
  }
}
