package dev.vertlet.harness.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
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
    agent = Optional.of(agent(cluster, dir, "streams"));
    return new Place(cluster.kubeconfig(), cluster.namespace(), "streams0");
  }

  private static AgentProcess agent(TestCluster cluster, Path dir, String nodes, String... more)
      throws Exception {
    AgentProcess made =
        cluster.closeAfterTest(
            AgentProcess.Setup.ofNodes(
                    Files.createDirectory(dir.resolve(nodes)), nodes, 1, cluster.agentKubeconfig())
                .with("--set", "server.portRange=0", "--set", "server.healthzPort=0")
                .with(more)
                .start());
    await().atMost(PATIENCE).untilAsserted(() -> assertThat(made.ready()).isTrue());
    return made;
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

  /** C76. */
  @Test
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

  /** C76. */
  @Test
  void streamsAreTranslatedForANodeThatDoesNot(TestCluster cluster) throws Exception {
    AgentProcess plain =
        agent(cluster, dir(), "plain", "--set", "server.extendWebSocketsToKubelet=false");
    kubectl()
        .output(
            "run",
            "plain",
            "--image=example.com/main:1",
            "--annotations=sim.vertlet.dev/log-rate=50/s",
            "--overrides={\"spec\":{\"nodeName\":\"plain0\"}}");
    kubectl().output("wait", "--for=condition=Ready", "pod/plain", "--timeout=60s");

    reach("plain");

    assertThat(plain.metric("kubelet_http_requests_total", "path=\"exec\"")).isEqualTo(1);
    assertThat(plain.metric("kubelet_http_requests_total", "path=\"attach\"")).isEqualTo(1);
    assertThat(plain.metric("kubelet_http_requests_total", "path=\"portForward\"")).isEqualTo(1);
    assertThat(plain.metric("kubelet_websocket_streaming_requests_total")).isZero();
  }

  /** C57. A shell that nobody types at, through the API server. */
  @Test
  void aSessionInWhichNothingHappensIsClosed(TestCluster cluster) throws Exception {
    AgentProcess quiet =
        agent(cluster, dir(), "quiet", "--set", "server.streamingConnectionIdleTimeout=2s");
    kubectl()
        .output(
            "run",
            "quiet",
            "--image=example.com/main:1",
            "--overrides={\"spec\":{\"nodeName\":\"quiet0\"}}");
    kubectl().output("wait", "--for=condition=Ready", "pod/quiet", "--timeout=60s");

    for (Wire wire : Wire.values()) {
      List<String> command = kubectl().command("exec", "-i", "quiet", "--", "cat");
      try (KubectlRuns.Run run = kubectl().startTyped(wire.environment(), command)) {
        await()
            .atMost(PATIENCE)
            .until(() -> quiet.metric("kubelet_http_inflight_requests", "path=\"exec\"") == 1);
        await()
            .atMost(PATIENCE)
            .until(() -> quiet.metric("kubelet_http_inflight_requests", "path=\"exec\"") == 0);
        // without a word on its error stream a session over SPDY has ended well for kubectl
        assertThat(run.exitCode() == 0).as("%s: %s", wire, run.err()).isEqualTo(wire == Wire.SPDY);
      }
    }
  }

  private void reach(String pod) throws Exception {
    assertThat(kubectl().run(Wire.WEBSOCKET, "exec", pod, "--", "true").exitCode()).isZero();
    try (KubectlRuns.Run attached = kubectl().start(Wire.WEBSOCKET, "attach", pod)) {
      await().atMost(PATIENCE).until(() -> !attached.out().isEmpty());
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

  /** C61. */
  @Test
  void strangersAreRefusedByTheKubelet() throws Exception {
    kubectl().output("create", "serviceaccount", "stranger");
    String token = kubectl().output("create", "token", "stranger").strip();

    for (URI asked : guarded()) {
      HttpResponse<String> stranger = KubeletRequests.get(asked, token);
      assertThat(stranger.statusCode()).isEqualTo(403);
      assertThat(stranger.body())
          .startsWith("Forbidden (user=system:serviceaccount:")
          .contains(":stranger, verb=get, resource=nodes, ");
    }
  }
}
