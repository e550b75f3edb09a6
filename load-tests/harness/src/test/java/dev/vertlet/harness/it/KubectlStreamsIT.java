package dev.vertlet.harness.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.vertlet.apiserver.contract.AnyClient;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Streams through a real API server. */
@ClusterTest
class KubectlStreamsIT extends StreamTests {
  @TempDir private static Path dir;

  private static KubectlRuns kubectl;
  private static AgentProcess agent;

  @BeforeAll
  static void start(TestCluster cluster) throws Exception {
    agent = agent(cluster, "streams");
    kubectl =
        new KubectlRuns(
            cluster.controlPlane().kubectlProgram(),
            cluster.kubeconfig(),
            cluster.namespace(),
            dir);
    apply(kubectl, dir, "streams0");
  }

  private static AgentProcess agent(TestCluster cluster, String nodes, String... more)
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

  @Override
  KubectlRuns kubectl() {
    return kubectl;
  }

  @Override
  Path dir() {
    return dir;
  }

  /** C76. */
  @Test
  void streamsAreWebSocketsWhereTheNodeDeclaresIt() throws Exception {
    double exec = webSockets(agent, "exec");
    double attach = webSockets(agent, "attach");

    execAndAttach("talker");

    assertThat(webSockets(agent, "exec")).isEqualTo(exec + 1);
    assertThat(webSockets(agent, "attach")).isEqualTo(attach + 1);
  }

  /** C76. */
  @Test
  void streamsAreTranslatedForANodeThatDoesNot(TestCluster cluster) throws Exception {
    AgentProcess plain = agent(cluster, "plain", "--set", "server.extendWebSocketsToKubelet=false");
    kubectl.output(
        "run",
        "plain",
        "--image=example.com/main:1",
        "--annotations=sim.vertlet.dev/log-rate=50/s",
        "--overrides={\"spec\":{\"nodeName\":\"plain0\"}}");
    kubectl.output("wait", "--for=condition=Ready", "pod/plain", "--timeout=60s");

    execAndAttach("plain");

    assertThat(plain.metric("kubelet_http_requests_total", "path=\"exec\"")).isEqualTo(1);
    assertThat(plain.metric("kubelet_http_requests_total", "path=\"attach\"")).isEqualTo(1);
    assertThat(plain.metric("kubelet_websocket_streaming_requests_total")).isZero();
  }

  private static void execAndAttach(String pod) throws Exception {
    assertThat(kubectl.run(Wire.WEBSOCKET, "exec", pod, "--", "true").exitCode()).isZero();
    try (KubectlRuns.Run attached = kubectl.start(Wire.WEBSOCKET, "attach", pod)) {
      await().atMost(PATIENCE).until(() -> !attached.out().isEmpty());
    }
  }

  private static double webSockets(AgentProcess agent, String kind) {
    return agent.metric(
        "kubelet_websocket_streaming_requests_total", "subresource=\"" + kind + "\"");
  }

  /** C61. */
  @Test
  void strangersAreRefusedByTheKubelet() throws Exception {
    String node =
        "jsonpath=https://{.status.addresses[?(@.type==\"InternalIP\")].address}:{.status.daemonEndpoints.kubeletEndpoint.Port}";
    String url = kubectl.output("get", "node", "streams0", "-o", node);
    String namespace =
        kubectl.output("get", "pod", "talker", "-o", "jsonpath={.metadata.namespace}");
    URI exec = URI.create(url + "/exec/" + namespace + "/talker/main?command=true&output=1");
    URI pods = URI.create(url + "/pods");
    kubectl.output("create", "serviceaccount", "stranger");
    String token = kubectl.output("create", "token", "stranger").strip();

    for (URI asked : List.of(pods, exec)) {
      HttpResponse<String> nobody = get(asked, "");
      assertThat(nobody.statusCode()).isEqualTo(401);
      assertThat(nobody.body()).isEqualTo("Unauthorized");
      assertThat(get(asked, "made.up.token").statusCode()).isEqualTo(401);
      HttpResponse<String> stranger = get(asked, token);
      assertThat(stranger.statusCode()).isEqualTo(403);
      assertThat(stranger.body())
          .startsWith("Forbidden (user=system:serviceaccount:")
          .contains(":stranger, verb=get, resource=nodes, ");
    }
  }

  /** Without a look at the certificate, which is the agent's own. */
  private static HttpResponse<String> get(URI url, String token) throws Exception {
    SSLContext tls = SSLContext.getInstance("TLS");
    tls.init(null, new TrustManager[] {new AnyClient()}, null);
    HttpRequest.Builder request = HttpRequest.newBuilder(url).timeout(PATIENCE);
    if (!token.isEmpty()) {
      request.header("authorization", "Bearer " + token);
    }
    return HttpClient.newBuilder()
        .sslContext(tls)
        .build()
        .send(request.build(), HttpResponse.BodyHandlers.ofString());
  }
}
