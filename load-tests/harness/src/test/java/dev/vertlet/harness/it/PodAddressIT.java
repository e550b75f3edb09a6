package dev.vertlet.harness.it;

import static dev.vertlet.testsupport.Waits.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which addresses pods have, on a real API server. */
@ClusterTest
class PodAddressIT {
  @TempDir private Path folder;

  private static String address(TestCluster cluster, String pod) {
    eventually(() -> assertThat(pod(cluster, pod).getStatus().getPodIP()).isNotNull());
    return pod(cluster, pod).getStatus().getPodIP();
  }

  private static Pod pod(TestCluster cluster, String name) {
    return cluster.client().pods().inNamespace(cluster.namespace()).withName(name).get();
  }

  @Test
  void podsOfAgentsThatKnowNothingOfEachOtherHaveOtherAddresses(TestCluster cluster)
      throws Exception {
    for (String agent : List.of("left", "right")) {
      cluster.agent(Files.createDirectories(folder.resolve(agent)), agent);
      cluster.pods().createMany(agent, agent + "0", 3);
    }

    eventually(
        () ->
            assertThat(
                    cluster
                        .client()
                        .pods()
                        .inNamespace(cluster.namespace())
                        .list()
                        .getItems()
                        .stream()
                        .map(pod -> pod.getStatus().getPodIP()))
                .hasSize(6)
                .doesNotContainNull()
                .doesNotHaveDuplicates());
  }

  @Test
  void addressesAreOfTheNodesRangeAndThoseOfPodsThatAreOverRestAcrossARestart(TestCluster cluster)
      throws Exception {
    cluster.closeAfterTest(() -> cluster.client().nodes().withName("ranged0").delete());
    cluster
        .client()
        .resource(
            new NodeBuilder()
                .withNewMetadata()
                .withName("ranged0")
                .endMetadata()
                .withNewSpec()
                .withPodCIDR("10.99.7.0/24")
                .withPodCIDRs("10.99.7.0/24")
                .endSpec()
                .build())
        .create();
    AgentProcess first = cluster.agent(folder, "ranged");
    cluster.create(
        "over",
        "ranged0",
        pod ->
            pod.editMetadata()
                .addToAnnotations("sim.vertlet.dev/run-for", "1s")
                .endMetadata()
                .editSpec()
                .withRestartPolicy("Never")
                .endSpec());
    assertThat(address(cluster, "over")).isEqualTo("10.99.7.2");
    eventually(
        () -> assertThat(pod(cluster, "over").getStatus().getPhase()).isEqualTo("Succeeded"));
    assertThat(first.terminate()).isZero();

    cluster.agent(folder, "ranged");
    cluster.create("next", "ranged0");

    assertThat(address(cluster, "next")).isEqualTo("10.99.7.3");
  }
}
