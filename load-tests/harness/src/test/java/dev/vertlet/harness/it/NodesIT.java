package dev.vertlet.harness.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.harness.it.Launcher.Outcome;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nodes that {@code ./vertlet nodes} makes, as kubectl sees them. */
@ClusterTest
class NodesIT {
  private static final String OURS = "vertlet.dev/managed-by=nodes-command";

  @TempDir private Path dir;

  private Outcome nodes(TestCluster cluster, String... arguments)
      throws IOException, InterruptedException {
    List<String> all = new ArrayList<>(List.of("nodes"));
    all.addAll(Arrays.asList(arguments));
    all.addAll(List.of("--kubeconfig", cluster.kubeconfig().toString()));
    return Launcher.run(dir, all.toArray(String[]::new));
  }

  private static List<String> seen(TestCluster cluster) {
    return cluster
        .controlPlane()
        .kubectl("get", "nodes", "-l", OURS, "-o", "name")
        .lines()
        .toList();
  }

  @Test
  void kubectlSeesWhatTheCommandMakesAndNobodyElsesNodeIsTouched(TestCluster cluster)
      throws Exception {
    Node foreign = new NodeBuilder().withNewMetadata().withName("set-1").endMetadata().build();
    cluster.client().resource(foreign).create();
    cluster.closeAfterTest(() -> cluster.client().resource(foreign).delete());
    Path template =
        Files.writeString(
            dir.resolve("node.yaml"),
            """
            apiVersion: v1
            kind: Node
            metadata:
              name: set-{i}
              labels: {kubernetes.io/hostname: "{node}", topology.kubernetes.io/zone: "z{i%2}"}
              annotations: {example.com/rack: "r{i/2}"}
            spec:
              taints: [{key: example.com/set, value: "{i}", effect: NoSchedule}]
            status:
              capacity: {cpu: 8, memory: 16Gi, pods: 20, example.com/gpu: 2}
              addresses: [{type: InternalIP, address: "10.9.0.{i}"}]
            """);

    Outcome created =
        nodes(cluster, "create", "--count", "3", "--template", template.toString(), "-o", "name");
    cluster.closeAfterTest(() -> cluster.client().nodes().withLabelSelector(OURS).delete());

    assertThat(created.exitCode()).isEqualTo(1);
    assertThat(created.out()).isEqualTo("node/set-0\nnode/set-2\n");
    assertThat(created.err()).contains("node set-1: is there and has no label " + OURS);
    assertThat(
            cluster
                .controlPlane()
                .kubectl(
                    "get",
                    "node",
                    "set-2",
                    "-o",
                    "jsonpath={.metadata.labels.topology\\.kubernetes\\.io/zone}"
                        + " {.metadata.annotations.example\\.com/rack}"
                        + " {.spec.taints[?(@.key=='example.com/set')].value}"
                        + " {.status.allocatable.cpu} {.status.capacity.example\\.com/gpu}"
                        + " {.status.addresses[0].address}"))
        .isEqualTo("z0 r1 2 8 2 10.9.0.2");
    assertThat(nodes(cluster, "scale", "--count", "4", "--name-prefix", "plain-").out())
        .isEqualTo("4 nodes created, 0 deleted, 0 kept\n");
    assertThat(nodes(cluster, "scale", "--count", "2", "--name-prefix", "plain-", "--yes").out())
        .isEqualTo("0 nodes created, 2 deleted, 2 kept\n");
    assertThat(seen(cluster))
        .containsExactlyInAnyOrder("node/set-0", "node/set-2", "node/plain-0", "node/plain-1");
    assertThat(nodes(cluster, "delete").exitCode()).isEqualTo(2);
    assertThat(nodes(cluster, "delete", "--yes").out())
        .isEqualTo("0 nodes created, 4 deleted, 0 kept\n");
    assertThat(seen(cluster)).isEmpty();
    assertThat(cluster.node("set-1")).isNotNull();
  }

  @Test
  void aFieldThatNoNodeHasIsNamedAndNothingIsMade(TestCluster cluster) throws Exception {
    Path template =
        Files.writeString(
            dir.resolve("node.yaml"),
            "{apiVersion: v1, kind: Node, metadata: {name: 'odd-{i}'}, spec: {taint: []}}");

    Outcome outcome = nodes(cluster, "create", "--count", "3", "--template", template.toString());

    assertThat(outcome.exitCode()).isEqualTo(2);
    assertThat(outcome.err()).contains(template + ": refused: ", "unknown field \"spec.taint\"");
    assertThat(seen(cluster)).isEmpty();
  }
}
