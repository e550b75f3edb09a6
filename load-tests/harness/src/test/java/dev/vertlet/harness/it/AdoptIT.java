package dev.vertlet.harness.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.NodeCondition;
import io.fabric8.kubernetes.api.model.NodeStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nodes that somebody else makes, as KWOK's users do, with the rights that vertlet ships. */
@ClusterTest
class AdoptIT {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int NODES = 20;

  @TempDir private Path folder;

  private static void soon(ThrowingRunnable assertion) {
    await().atMost(PATIENCE).pollInterval(Duration.ofMillis(200)).untilAsserted(assertion);
  }

  private AgentProcess start(TestCluster cluster) throws IOException {
    Path config = folder.resolve("vertlet.json");
    Files.writeString(
        config,
        """
        {"nodes": [{"adopt": {"labelSelector": "type=adopt-it"},
                    "capacity": {"cpu": "1000", "memory": "1Ti", "pods": "200"}}],
         "lease": {"duration": "10s", "renewInterval": "2s"},
         "server": {"portRange": 0, "healthzPort": 0}}
        """);
    return cluster.closeAfterTest(
        AgentProcess.Setup.of(folder, config, cluster.agentKubeconfig()).start());
  }

  private static void create(TestCluster cluster, String name) {
    Node node =
        new NodeBuilder()
            .withNewMetadata()
            .withName(name)
            .addToLabels("type", "adopt-it")
            .endMetadata()
            .build();
    cluster.client().resource(node).create();
  }

  private static void remove(TestCluster cluster, String name) {
    cluster.client().nodes().withName(name).delete();
  }

  private static Node node(TestCluster cluster, String name) {
    return cluster.client().nodes().withName(name).get();
  }

  private static Lease lease(TestCluster cluster, String name) {
    return cluster.client().leases().inNamespace("kube-node-lease").withName(name).get();
  }

  private static boolean ready(TestCluster cluster, String name) {
    NodeStatus status = node(cluster, name).getStatus();
    List<NodeCondition> conditions = status == null ? List.of() : status.getConditions();
    return conditions.stream()
        .anyMatch(one -> one.getType().equals("Ready") && one.getStatus().equals("True"));
  }

  /** K01, K04, K05, K06, K22. */
  @Test
  void bareNodesAreServedWhileTheyAreThereAndLeaveNothingBehind(TestCluster cluster)
      throws IOException {
    List<String> names = IntStream.range(0, NODES).mapToObj(i -> "adopt-it-" + i).toList();
    PodRecorder recorder = cluster.recordPods();
    create(cluster, names.get(0));
    cluster.closeAfterTest(() -> names.forEach(name -> remove(cluster, name)));
    cluster.pods().create("before", names.get(0));

    AgentProcess agent = start(cluster);
    soon(() -> assertThat(agent.ready()).isTrue());
    soon(() -> assertThat(recorder.ready()).hasSize(1));
    names.stream().skip(1).forEach(name -> create(cluster, name));
    soon(() -> assertThat(names).allMatch(name -> ready(cluster, name)));
    cluster.pods().createMany("p", NODES, names::get, pod -> pod);
    cluster
        .pods()
        .create("host", names.get(1), pod -> pod.editSpec().withHostNetwork(true).endSpec());
    soon(() -> assertThat(recorder.ready()).hasSize(NODES + 2));

    Node first = node(cluster, names.get(0));
    assertThat(first.getMetadata().getLabels()).doesNotContainKey("vertlet.dev/agent");
    assertThat(first.getStatus().getCapacity().get("cpu")).asString().isIn("1000", "1k");
    assertThat(lease(cluster, names.get(0)).getMetadata().getOwnerReferences())
        .singleElement()
        .satisfies(owner -> assertThat(owner.getUid()).isEqualTo(first.getMetadata().getUid()));
    Pod host = cluster.client().pods().inNamespace(cluster.namespace()).withName("host").get();
    assertThat(host.getStatus().getPodIP()).isEqualTo(host.getStatus().getHostIP());

    // half of them go, are not made anew, and come again under their names with their pods
    List<String> gone = names.subList(0, NODES / 2);
    List<String> left = names.subList(NODES / 2, NODES);
    gone.forEach(name -> remove(cluster, name));
    soon(() -> assertThat(agent.metric("kubelet_running_pods")).isEqualTo(left.size()));
    assertThat(gone).allMatch(name -> node(cluster, name) == null);
    gone.forEach(name -> create(cluster, name));
    soon(() -> assertThat(names).allMatch(name -> ready(cluster, name)));
    soon(() -> assertThat(agent.metric("kubelet_running_pods")).isEqualTo(NODES + 2));

    // and one that is not selected any more is left alone
    String freed = names.get(NODES - 1);
    cluster.kubectl("label", "node", freed, "type-");
    soon(() -> assertThat(agent.metric("kubelet_running_pods")).isEqualTo(NODES + 1));
    soon(() -> assertThat(lease(cluster, freed).getSpec().getHolderIdentity()).isNull());
    cluster.kubectl("label", "node", freed, "type=adopt-it");

    cluster.pods().deleteAll();
    soon(() -> assertThat(recorder.present()).isEmpty());
    soon(() -> assertThat(agent.metric("kubelet_running_pods")).isZero());
    assertThat(agent.log()).doesNotContain("Exception", "forbidden");
  }
}
