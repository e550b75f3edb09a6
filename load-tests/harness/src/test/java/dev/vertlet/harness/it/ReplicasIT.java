package dev.vertlet.harness.it;

import static dev.vertlet.testsupport.Waits.eventually;
import static dev.vertlet.testsupport.Waits.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.vertlet.harness.fault.FaultProxy;
import dev.vertlet.testsupport.FullRing;
import dev.vertlet.testsupport.Measuring;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.lang.management.ManagementFactory;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three agents that divide the nodes, and lose one of them in each way there is, at a size at which
 * a takeover is work. What happened is read from the API server's audit log.
 */
@ClusterTest(own = true, audited = true)
@FullRing
class ReplicasIT {

  /** Of the nodes' Leases. */
  private static final Duration LEASE = Duration.ofSeconds(20);

  /** What a takeover may take beyond the Lease. */
  private static final Duration SLACK = Duration.ofSeconds(5);

  /** Thrice as long as the Lease: whoever stood still for so long knows nothing any more. */
  private static final Duration PAUSE = Duration.ofSeconds(60);

  private static final int NODES = 300;
  private static final int PODS = 3000;
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
         "lease": {"duration": "20s", "renewInterval": "5s"},
         "replicas": {"enabled": true, "group": "it", "namespace": "vertlet-system",
                      "duration": "10s", "renewInterval": "3s"},
         "server": {"portRange": 0, "healthzPort": 0}}
        """
            .formatted(NODES, identity));
    return cluster.closeAfterTest(AgentProcess.Setup.of(own, config, kubeconfig).start());
  }

  /** Of a pod named by a number. */
  private static String node(int number) {
    return "rep" + number * 7 % NODES;
  }

  private static String nodeOf(String pod) {
    return node(Integer.parseInt(pod.substring(pod.lastIndexOf('-') + 1)));
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

  /** All nodes are served by these, each by one that renewed its Lease since. */
  private static void served(TestCluster cluster, Set<String> agents, Instant since) {
    List<Lease> leases = leases(cluster);
    assertThat(leases).hasSize(NODES);
    assertThat(leases.stream().map(l -> l.getMetadata().getAnnotations().get("vertlet.dev/agent")))
        .allMatch(agents::contains)
        .containsAll(agents);
    assertThat(leases.stream().map(lease -> lease.getSpec().getRenewTime().toInstant()))
        .allMatch(since::isBefore);
  }

  @Test
  @Measuring
  void whatOneOfThreeLeavesTheOthersServeAndNothingStartsTwice(TestCluster cluster)
      throws Exception {
    String right = Manifests.REPLICAS.toString();
    cluster.controlPlane().kubectl("apply", "-k", right);
    Vertx vertx = Vertx.vertx();
    cluster.closeAfterTest(() -> get(vertx.close()));
    FaultProxy proxy =
        get(FaultProxy.start(vertx, cluster.agentKubeconfig(), folder, new Random(1)));
    AgentProcess a = start(cluster, "rep-a", cluster.agentKubeconfig());
    AgentProcess b = start(cluster, "rep-b", cluster.agentKubeconfig());
    AgentProcess c = start(cluster, "rep-c", proxy.kubeconfig());
    for (AgentProcess agent : List.of(a, b, c)) {
      agent.awaitReady();
    }
    eventually(() -> served(cluster, ALL, Instant.now().minus(LEASE)));
    Map<String, String> divided = owners(cluster);
    PodRecorder recorder = cluster.recordPods();
    cluster.pods().createMany("p", PODS, ReplicasIT::node, pod -> pod);
    eventually(() -> assertThat(recorder.ready()).hasSize(PODS));
    Churn churn = cluster.closeAfterTest(Churn.start(cluster.pods(), ReplicasIT::node));
    MachineLag lag = cluster.closeAfterTest(MachineLag.start());

    // one dies while one stands still
    Instant lost = Instant.now();
    b.pause();
    a.kill();
    eventually(() -> served(cluster, Set.of("rep-c"), lost));
    AgentProcess again = start(cluster, "rep-a", cluster.agentKubeconfig());
    again.awaitReady();
    eventually(() -> served(cluster, Set.of("rep-a", "rep-c"), lost));

    // and the third reaches nobody
    Instant cut = Instant.now();
    get(proxy.refuse());
    get(proxy.cutAll());
    eventually(() -> served(cluster, Set.of("rep-a"), cut));
    double crowd = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();

    // both go on when their nodes are others'
    await().until(() -> Instant.now().isAfter(lost.plus(PAUSE)));
    b.resume();
    get(proxy.accept());
    eventually(() -> assertThat(owners(cluster)).isEqualTo(divided));
    int churned = churn.stop();
    eventually(() -> assertThat(recorder.present()).hasSize(PODS + churn.standing()));
    eventually(() -> assertThat(recorder.ready()).hasSize(PODS + churn.standing()));
    assertThat(recorder.histories()).hasSize(PODS + churned);

    // one leaves in order
    assertThat(again.terminate()).isZero();
    eventually(() -> served(cluster, Set.of("rep-b", "rep-c"), Instant.now().minus(LEASE)));
    cluster.pods().deleteAll();
    eventually(() -> assertThat(recorder.present()).isEmpty());

    assertThat(recorder.violations()).isEmpty();
    AuditLog log = AuditLog.read(cluster.controlPlane());
    Duration limit = LEASE.plus(slack(lag.longest(), crowd));
    Set<String> lostNodes = of(divided, "rep-a");
    lostNodes.addAll(of(divided, "rep-b"));
    assertThat(takeovers(log, lostNodes, lost)).isLessThanOrEqualTo(limit);
    Set<String> cutNodes =
        divided.keySet().stream()
            .filter(node -> log.owner(node, cut).equals("rep-c"))
            .collect(Collectors.toSet());
    assertThat(cutNodes).isNotEmpty();
    assertThat(takeovers(log, cutNodes, cut)).isLessThanOrEqualTo(limit);
    Map<String, List<AuditLog.Write>> late = lateWrites(log);
    assertThat(late.values())
        .allSatisfy(
            writes -> {
              assertThat(writes).hasSize(1);
              // who was not stopped has no reason to be late
              assertThat(writes.get(0).agent()).isEqualTo("rep-b");
            });
    System.out.printf(
        "Replicas: %d pods and %d that came and went; taken over after %s (lost) and %s (cut), of"
            + " %s allowed; %d late writes%n",
        PODS,
        churned,
        takeovers(log, lostNodes, lost),
        takeovers(log, cutNodes, cut),
        limit,
        late.size());
  }

  /**
   * What the machine was late is nobody's fault. This test brings two threads for each core that
   * want to run; of what others bring each of them gets less.
   *
   * @param crowd threads that wanted to run in the minute of the takeovers; negative where nobody
   *     knows
   */
  private static Duration slack(Duration lag, double crowd) {
    double share = crowd / (2 * Runtime.getRuntime().availableProcessors());
    long millis = (long) (SLACK.toMillis() * Math.max(1, share));
    return Duration.ofMillis(millis).plus(lag.multipliedBy(3));
  }

  /** How long the last of these nodes was without an agent. */
  private static Duration takeovers(AuditLog log, Set<String> nodes, Instant moment) {
    return nodes.stream()
        .map(node -> log.takenOverAfter(node, moment))
        .max(Duration::compareTo)
        .orElseThrow();
  }

  /** By pod: what agents wrote of it that came when another one had its node. */
  private static Map<String, List<AuditLog.Write>> lateWrites(AuditLog log) {
    return log.writes().stream()
        .filter(write -> Set.of("pods", "pods/status").contains(write.resource()))
        .filter(write -> !log.owner(nodeOf(write.name()), write.received()).equals(write.agent()))
        .collect(Collectors.groupingBy(AuditLog.Write::name));
  }
}
