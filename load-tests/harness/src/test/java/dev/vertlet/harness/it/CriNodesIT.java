package dev.vertlet.harness.it;

import static dev.vertlet.harness.it.TestPods.spec;
import static dev.vertlet.testsupport.Waits.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.testsupport.FullRing;
import io.vertx.core.json.JsonObject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Many nodes of one agent on one container runtime. */
@ClusterTest(controllers = true)
@Needs(Tool.CONTAINERS)
@Tag("containers")
@FullRing // a hundred pods; CriIT has the same on one node
class CriNodesIT {
  private static final int NODES = 20;
  private static final int PODS_PER_NODE = 5;

  /** For 100 sandboxes on two cores. */
  private static final String MANY = "--timeout=300s";

  @TempDir private Path folder;

  private final ContainerLab lab = new ContainerLab();

  @AfterEach
  void removeAll(TestCluster cluster) {
    cluster.kubectl("delete", "pods", "--all", "--wait=true", MANY);
  }

  private static String node(int index) {
    return "cri-of-many-" + index;
  }

  /** Pod {@code i} is on node {@code i % NODES}. */
  private static List<String> pods(int node) {
    return IntStream.range(0, PODS_PER_NODE).mapToObj(i -> "p-" + (node + i * NODES)).toList();
  }

  /** Asserts that a node has these pods alone, each with one sandbox and one container. */
  private void runs(int node, List<String> pods) throws Exception {
    assertThat(lab.containers(node(node)))
        .containsExactlyInAnyOrderElementsOf(
            pods.stream().flatMap(pod -> Stream.of(pod + "/", pod + "/main")).toList());
  }

  @Test
  @Tag("X07")
  void everyPodRunsOnItsNodeAndIsAdoptedForIt(TestCluster cluster) throws Exception {
    cluster.grant(Manifests.SECRETS);
    cluster.grant(Manifests.CONTENT);
    JsonObject config = lab.config("cri-of-many-{i}", folder.resolve("data"));
    config.getJsonArray("nodes").getJsonObject(0).put("count", NODES);
    Path file = Files.writeString(folder.resolve("vertlet.json"), config.encodePrettily());
    AgentProcess.Setup setup = AgentProcess.Setup.of(folder, file, cluster.agentKubeconfig());
    AgentProcess agent = cluster.agent(setup);
    cluster
        .pods()
        .createMany(
            "p",
            NODES * PODS_PER_NODE,
            i -> node(i % NODES),
            spec(
                "{terminationGracePeriodSeconds: 0, containers: [{name: main, image: '"
                    + ContainerLab.BUSYBOX
                    + "', command: [sleep, '1000']}]}"));
    cluster.kubectl("wait", "--for=condition=Ready", "pods", "--all", MANY);
    for (int node = 0; node < NODES; node++) {
      runs(node, pods(node));
    }
    Map<String, String> before = ContainerLab.ids(cluster);
    Map<String, String> versions = cluster.pods().versions();

    agent.kill();
    var unused = cluster.agent(setup);

    // each node ends the pod that is deleted, and only that
    for (int node = 0; node < NODES; node++) {
      cluster.pods().delete(pods(node).get(0));
      before.remove(pods(node).get(0));
      versions.remove(pods(node).get(0));
    }
    eventually(() -> assertThat(ContainerLab.ids(cluster)).isEqualTo(before));
    assertThat(cluster.pods().versions()).isEqualTo(versions);
    for (int node = 0; node < NODES; node++) {
      int each = node;
      eventually(() -> runs(each, pods(each).subList(1, PODS_PER_NODE)));
    }
  }
}
