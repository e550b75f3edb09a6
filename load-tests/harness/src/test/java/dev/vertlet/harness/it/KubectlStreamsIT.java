package dev.vertlet.harness.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Streams through a real API server. */
@ClusterTest
class KubectlStreamsIT extends StreamTests {
  private static final String DEPLOYMENT =
      """
      apiVersion: apps/v1
      kind: Deployment
      metadata: {name: talkers}
      spec:
        replicas: 0
        selector: {matchLabels: {app: streams}}
        template:
          metadata: {labels: {app: streams}}
          spec: {containers: [{name: main, image: "example.com/main:1"}]}
      """;

  private Optional<AgentProcess> agent = Optional.empty();

  @Override
  Place open(TestCluster cluster, Path dir) throws Exception {
    agent = Optional.of(agent(cluster, cluster.agentKubeconfig(), dir, "streams"));
    return new Place(
        cluster.kubeconfig(), cluster.agentKubeconfig(), cluster.namespace(), "streams0");
  }

  /** kubectl takes any pod that the selector matches, whoever made it. */
  @Test
  void aDeploymentsLogIsThatOfItsPod() throws Exception {
    Path file = Files.writeString(dir().resolve("deployment.yaml"), DEPLOYMENT);
    kubectl().output("apply", "-f", file.toString());

    assertThat(kubectl().output("logs", "deployment/talkers", "-c", "silent"))
        .isEqualTo("container silent started\n");
    assertThat(kubectl().output("logs", "deployment/talkers", "--all-pods", "-c", "silent"))
        .isEqualTo("[pod/talker/silent] container silent started\n");
  }

  @Test
  @Tag("C76")
  void streamsAreWebSocketsWhereTheNodeDeclaresIt() throws Exception {
    AgentProcess asked = agent.orElseThrow();
    double exec = webSockets(asked, "exec");
    double attach = webSockets(asked, "attach");
    double forward = webSockets(asked, "portforward");

    reach("talker");

    assertThat(webSockets(asked, "exec")).isEqualTo(exec + 1);
    assertThat(webSockets(asked, "attach")).isEqualTo(attach + 1);
    assertThat(webSockets(asked, "portforward")).isEqualTo(forward + 1);
  }

  @Test
  @Tag("C76")
  void streamsAreTranslatedForANodeThatDoesNot(TestCluster cluster) throws Exception {
    AgentProcess plain =
        agent(
            cluster,
            cluster.agentKubeconfig(),
            dir(),
            "plain",
            "--set",
            "server.extendWebSocketsToKubelet=false");
    kubectl()
        .output(
            "run",
            "plain",
            "--image=example.com/main:1",
            "--annotations=sim.vertlet.dev/log-rate=50/s",
            "--overrides={\"spec\":{\"nodeName\":\"plain0\"}}");
    kubectl().output("wait", "--for=condition=Ready", "pod/plain", KubectlRuns.LIMIT);

    reach("plain");

    assertThat(plain.metric("kubelet_http_requests_total", "path=\"exec\"")).isEqualTo(1);
    assertThat(plain.metric("kubelet_http_requests_total", "path=\"attach\"")).isEqualTo(1);
    assertThat(plain.metric("kubelet_http_requests_total", "path=\"portForward\"")).isEqualTo(1);
    assertThat(plain.metric("kubelet_websocket_streaming_requests_total")).isZero();
  }

  private void reach(String pod) throws Exception {
    assertThat(kubectl().run(Wire.WEBSOCKET, "exec", pod, "--", "true").exitCode()).isZero();
    try (KubectlRuns.Run attached = kubectl().start(Wire.WEBSOCKET, "attach", pod)) {
      await().until(() -> !attached.out().isEmpty());
    }
    try (KubectlRuns.Run forward =
        kubectl().start(Wire.WEBSOCKET, "port-forward", "pod/" + pod, ":8080")) {
      assertThat(forwarded(forward).answers(1, 1)).hasSize(1);
    }
  }

  private static double webSockets(AgentProcess agent, String kind) {
    return agent.metric(
        "kubelet_websocket_streaming_requests_total", "subresource=\"" + kind + "\"");
  }
}
