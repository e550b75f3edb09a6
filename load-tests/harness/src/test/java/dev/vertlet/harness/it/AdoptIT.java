package dev.vertlet.harness.it;

import static dev.vertlet.testsupport.Waits.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.testsupport.FullRing;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nodes that somebody else makes, as KWOK's users do, with the rights that vertlet ships. */
@ClusterTest
class AdoptIT {
  private static final int NODES = 20;

  @TempDir private Path folder;

  private AgentProcess start(TestCluster cluster) throws IOException {
    return start(cluster, "adopt-it", "");
  }

  private AgentProcess start(TestCluster cluster, String identity, String more) throws IOException {
    Path own = Files.createDirectories(folder.resolve(identity));
    Path config = own.resolve("vertlet.json");
    Files.writeString(
        config,
        """
        {"nodes": [{"adopt": {"labelSelector": "type=adopt-it"},
                    "capacity": {"cpu": "1000", "memory": "1Ti", "pods": "200"}}],
         "agent": {"identity": "%s"},
         "lease": {"duration": "10s", "renewInterval": "2s"},%s
         "server": {"portRange": 0, "healthzPort": 0}}
        """
            .formatted(identity, more));
    return cluster.closeAfterTest(
        AgentProcess.Setup.of(own, config, cluster.agentKubeconfig()).start());
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

  @Test
  @Tag("K01")
  @Tag("K04")
  @Tag("K05")
  @Tag("K06")
  @Tag("K22")
  void bareNodesAreServedWhileTheyAreThereAndLeaveNothingBehind(TestCluster cluster)
      throws IOException {
    List<String> names = IntStream.range(0, NODES).mapToObj(i -> "adopt-it-" + i).toList();
    PodRecorder recorder = cluster.recordPods();
    create(cluster, names.get(0));
    cluster.closeAfterTest(() -> names.forEach(name -> remove(cluster, name)));
    cluster.create("before", names.get(0));

    AgentProcess agent = start(cluster);
    agent.awaitReady();
    eventually(() -> assertThat(recorder.ready()).hasSize(1));
    names.stream().skip(1).forEach(name -> create(cluster, name));
    eventually(() -> assertThat(names).allMatch(name -> cluster.isReady(name)));
    cluster.pods().createMany("p", NODES, names::get, pod -> pod);
    cluster.create("host", names.get(1), pod -> pod.editSpec().withHostNetwork(true).endSpec());
    eventually(() -> assertThat(recorder.ready()).hasSize(NODES + 2));

    Node first = cluster.node(names.get(0));
    assertThat(first.getMetadata().getLabels()).doesNotContainKey("vertlet.dev/agent");
    assertThat(first.getStatus().getCapacity().get("cpu")).asString().isIn("1000", "1k");
    assertThat(cluster.lease(names.get(0)).getMetadata().getOwnerReferences())
        .singleElement()
        .satisfies(owner -> assertThat(owner.getUid()).isEqualTo(first.getMetadata().getUid()));
    Pod host = cluster.pods().get("host");
    assertThat(host.getStatus().getPodIP()).isEqualTo(host.getStatus().getHostIP());

    // half of them go, are not made anew, and come again under their names with their pods
    List<String> gone = names.subList(0, NODES / 2);
    List<String> left = names.subList(NODES / 2, NODES);
    gone.forEach(name -> remove(cluster, name));
    eventually(() -> assertThat(agent.metric("kubelet_running_pods")).isEqualTo(left.size()));
    assertThat(gone).allMatch(name -> cluster.node(name) == null);
    gone.forEach(name -> create(cluster, name));
    eventually(() -> assertThat(names).allMatch(name -> cluster.isReady(name)));
    eventually(() -> assertThat(agent.metric("kubelet_running_pods")).isEqualTo(NODES + 2));

    // and one that is not selected any more is left alone
    String freed = names.get(NODES - 1);
    cluster.kubectl("label", "node", freed, "type-");
    eventually(() -> assertThat(agent.metric("kubelet_running_pods")).isEqualTo(NODES + 1));
    eventually(() -> assertThat(cluster.lease(freed).getSpec().getHolderIdentity()).isNull());
    cluster.kubectl("label", "node", freed, "type=adopt-it");

    cluster.pods().deleteAll();
    eventually(() -> assertThat(recorder.present()).isEmpty());
    eventually(() -> assertThat(agent.metric("kubelet_running_pods")).isZero());
    assertThat(agent.log()).doesNotContain("Exception", "forbidden");
  }

  private static Set<String> of(TestCluster cluster, List<String> names, String agent) {
    return names.stream()
        .filter(
            name ->
                agent.equals(
                    cluster.lease(name).getMetadata().getAnnotations().get("vertlet.dev/agent")))
        .collect(Collectors.toSet());
  }

  /** Whichever way pods are followed: each agent those of its share, or all that of every node. */
  @FullRing
  @ParameterizedTest
  @ValueSource(strings = {"per-node", "shared"})
  void agentsDivideWhatSomebodyElseMakes(String watch, TestCluster cluster) throws Exception {
    List<String> names =
        IntStream.range(0, NODES).mapToObj(i -> "divided-" + watch + "-" + i).toList();
    names.forEach(name -> create(cluster, name));
    cluster.closeAfterTest(() -> names.forEach(name -> remove(cluster, name)));
    cluster.kubectl("apply", "-k", Manifests.REPLICAS.toString(), "-n", "vertlet-system");
    String more =
        """

        "replicas": {"enabled": true, "group": "adopt-%s", "namespace": "vertlet-system",
                     "duration": "5s", "renewInterval": "1s"},
        "kubernetes": {"watch": "%s"},\
        """
            .formatted(watch, watch);
    AgentProcess one = start(cluster, "adopt-one-" + watch, more);
    AgentProcess two = start(cluster, "adopt-two-" + watch, more);
    eventually(() -> assertThat(names).allMatch(name -> cluster.isReady(name)));
    eventually(
        () -> assertThat(of(cluster, names, "adopt-one-" + watch)).hasSizeBetween(1, NODES - 1));
    eventually(
        () -> assertThat(of(cluster, names, "adopt-two-" + watch)).hasSizeBetween(1, NODES - 1));

    PodRecorder recorder = cluster.recordPods();
    cluster.pods().createMany("p", NODES, names::get, pod -> pod);
    eventually(() -> assertThat(recorder.ready()).hasSize(NODES));
    int atOne = of(cluster, names, "adopt-one-" + watch).size();
    eventually(() -> assertThat(one.metric("kubelet_running_pods")).isEqualTo(atOne));
    eventually(() -> assertThat(two.metric("kubelet_running_pods")).isEqualTo(NODES - atOne));

    // a pod of a node that the one served before it was killed is the other's
    two.kill();
    eventually(() -> assertThat(of(cluster, names, "adopt-one-" + watch)).hasSize(NODES));
    eventually(() -> assertThat(one.metric("kubelet_running_pods")).isEqualTo(NODES));
    assertThat(recorder.ready()).hasSize(NODES);
    cluster.pods().deleteAll();
    eventually(() -> assertThat(recorder.present()).isEmpty());
  }
}
