package dev.vertlet.harness.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.vertlet.harness.cluster.ControlPlaneException;
import java.util.Arrays;
import java.util.List;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/** What {@code kubectl top} tells, whoever serves the metrics. */
final class TopSteps {

  private static final String POD =
      """
      apiVersion: v1
      kind: Pod
      metadata:
        name: steady
        labels: {app: steady}
        annotations:
          sim.vertlet.dev/cpu-usage: 250m
          sim.vertlet.dev/memory-usage: 200Mi
      spec:
        nodeName: NODE
        containers: [{name: main, image: "example.com/main:1"}]
      """;

  private final Kubectl kubectl;

  /** Runs kubectl to its end and returns its standard output; fails when kubectl does. */
  @FunctionalInterface
  interface Kubectl {
    String output(String... arguments) throws Exception;
  }

  TopSteps(Kubectl kubectl) {
    this.kubectl = kubectl;
  }

  /** A pod that takes 250m and 200Mi on this node. */
  static String manifest(String node) {
    return POD.replace("NODE", node);
  }

  static ConditionFactory retrying() {
    return Awaitility.await().ignoreExceptionsMatching(ControlPlaneException.class::isInstance);
  }

  /**
   * Looks at the pod and at the nodes.
   *
   * @param busy the node of the pod
   * @param other one that is alike without it
   */
  void check(String busy, String other) throws Exception {
    retrying()
        .untilAsserted(
            () -> {
              List<String> pod = row("steady", "top", "pods", "--no-headers");
              assertThat(number(pod.get(1), "m")).isCloseTo(250, within(5));
              assertThat(pod.get(2)).isEqualTo("200Mi");
            });
    List<String> container = row("steady", "top", "pod", "steady", "--containers", "--no-headers");
    assertThat(container.get(1)).isEqualTo("main");
    assertThat(number(container.get(2), "m")).isCloseTo(250, within(5));
    assertThat(container.get(3)).isEqualTo("200Mi");
    assertThat(kubectl.output("top", "pods", "-l", "app=steady", "--no-headers").lines())
        .hasSize(1);
    assertThat(row("steady", "get", "pods.metrics.k8s.io").subList(2, 3)).containsExactly("200Mi");

    List<String> taken = row(busy, "top", "nodes", "--no-headers");
    assertThat(number(taken.get(1), "m")).isGreaterThanOrEqualTo(245);
    assertThat(taken.get(2)).matches("\\d+%");
    assertThat(number(taken.get(3), "Mi")).isGreaterThanOrEqualTo(200);
    List<String> left = row(other, "top", "node", other, "--no-headers");
    assertThat(number(left.get(1), "m")).isPositive();
  }

  /** The words of the line that begins with this one; fails while there is none. */
  private List<String> row(String first, String... arguments) throws Exception {
    String table = kubectl.output(arguments);
    return table
        .lines()
        .map(line -> Arrays.asList(line.strip().split("\\s+")))
        .filter(words -> words.get(0).equals(first))
        .findFirst()
        .orElseThrow(() -> new AssertionError(first + " is not in\n" + table));
  }

  private static int number(String text, String unit) {
    assertThat(text).endsWith(unit);
    return Integer.parseInt(text.substring(0, text.length() - unit.length()));
  }
}
