package dev.vertlet.harness.it;

import static dev.vertlet.testsupport.Waits.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Taint;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What people change on a node, on a real API server. */
@ClusterTest
class NodeValuesIT {
  private static final String NODE = "values0";
  private static final String TAINT = "virtual-kubelet.io/provider";

  @TempDir private Path folder;

  private static void dongles(TestCluster cluster, int count) {
    cluster.kubectl(
        "patch",
        "node",
        NODE,
        "--subresource=status",
        "--type=json",
        "-p",
        "[{\"op\": \"add\", \"path\": \"/status/capacity/example.com~1dongle\", \"value\": \"%d\"}]"
            .formatted(count));
    eventually(
        () ->
            assertThat(cluster.node(NODE).getStatus().getAllocatable())
                .containsEntry("example.com/dongle", new Quantity(String.valueOf(count))));
  }

  @Test
  void resourcesThatSomebodyAddsAreGivenToPodsAndATaintThatSomebodyRemovesStaysAway(
      TestCluster cluster) {
    cluster.agent(folder, "values");
    assertThat(cluster.node(NODE).getSpec().getTaints()).extracting(Taint::getKey).contains(TAINT);

    cluster.kubectl("taint", "node", NODE, TAINT + "-");
    dongles(cluster, 4);
    cluster.create(
        "user",
        NODE,
        pod ->
            pod.editSpec()
                .editFirstContainer()
                .editOrNewResources()
                .addToRequests("example.com/dongle", new Quantity("3"))
                .addToLimits("example.com/dongle", new Quantity("3"))
                .endResources()
                .endContainer()
                .endSpec());
    cluster.kubectl("wait", "--for=condition=Ready", "pod/user", KubectlRuns.LIMIT);

    // the agent has written the node since
    dongles(cluster, 5);
    assertThat(cluster.node(NODE).getSpec().getTaints())
        .extracting(Taint::getKey)
        .doesNotContain(TAINT);
  }
}
