package dev.vertlet.api;

import static dev.vertlet.testsupport.Waits.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vertlet.apiserver.LoopbackPorts;
import dev.vertlet.server.LoggedLines;
import dev.vertlet.testsupport.TestHttp;
import dev.vertlet.testsupport.TestHttp.Answer;
import dev.vertlet.testsupport.Waits;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.junit5.VertxExtension;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** More nodes than ports, and ports that are somebody else's. */
@ExtendWith(VertxExtension.class)
class SharedPortTest {
  @Test
  void onASharedPortAPodDecidesItsNode(Vertx vertx) throws Exception {
    ServerLab lab = ServerLab.start(vertx, "{}", 65);

    assertThat(lab.listeners()).isEqualTo(1);
    for (String node : List.of("n0", "n7", "n64")) {
      String path = "/containerLogs/default/pod-of-" + node + "/c";
      assertThat(lab.get(path).body()).isEqualTo("log of default/pod-of-" + node + "\n");
      assertThat(lab.get("/nodes/" + node + path).status()).isEqualTo(200);
    }
    assertThat(lab.get("/nodes/n1/containerLogs/default/pod-of-n0/c").status()).isEqualTo(404);
    assertThat(lab.get("/nodes/other/pods").status()).isEqualTo(404);
    for (String ofNode :
        List.of(
            "/pods",
            "/runningpods/",
            "/stats/summary",
            "/metrics/resource",
            "/metrics/cadvisor",
            "/metrics/probes",
            "/configz")) {
      Answer bare = lab.get(ofNode);
      assertThat(bare.status()).isEqualTo(400);
      assertThat(bare.body())
          .isEqualTo("this port serves 65 nodes: say which one, as in /nodes/NAME" + ofNode + "\n");
      // 501: this provider measures nothing
      assertThat(lab.get("/nodes/n3" + ofNode).status()).isIn(200, 501);
    }
    assertThat(lab.get("/healthz").body()).isEqualTo("ok");
    // rights are asked for one node, or for all of them
    assertThat(lab.asked).contains("n3 [pods, proxy]", " [pods, proxy]", " [proxy]");
  }

  /** Kubelet §1, ServeLogs. */
  @Test
  void withoutALogDirectoryNoLogFilesAreServed(Vertx vertx) throws Exception {
    ServerLab lab = ServerLab.start(vertx, "{}", 1);

    for (String path : List.of("/logs/", "/logs/a.log")) {
      assertThat(lab.get(path).status()).isEqualTo(405);
      assertThat(lab.get(path).body()).isEqualTo("logs endpoint is disabled.\n");
    }
  }

  @Test
  void withoutDebuggingHandlersContainersAreNotReached(Vertx vertx) throws Exception {
    ServerLab lab = ServerLab.start(vertx, "{\"enableDebuggingHandlers\": false}", 1);

    for (String path :
        List.of("/containerLogs/default/pod-of-n0/c", "/runningpods/", "/logs/", "/exec/a/b/c")) {
      assertThat(lab.get(path).status()).isEqualTo(405);
      assertThat(lab.get(path).body()).isEqualTo("Debug endpoints are disabled.\n");
    }
    assertThat(lab.get("/configz").status()).isEqualTo(404);
    assertThat(lab.get("/pods").status()).isEqualTo(200);
    assertThat(lab.server.endpoints().result().values())
        .allSatisfy(endpoint -> assertThat(endpoint.declaredFeatures()).isEmpty());
  }

  @Test
  void webSocketsAreNotDeclaredWhenThatIsSwitchedOff(Vertx vertx) throws Exception {
    ServerLab lab = ServerLab.start(vertx, "{\"extendWebSocketsToKubelet\": false}", 1);

    assertThat(lab.server.endpoints().result().values())
        .singleElement()
        .satisfies(endpoint -> assertThat(endpoint.declaredFeatures()).isEmpty());
  }

  @Test
  void theReadOnlyPortShowsFiguresToEverybody(Vertx vertx) throws Exception {
    int port = LoopbackPorts.next();
    ServerLab lab = ServerLab.start(vertx, "{\"readOnlyPort\": " + port + "}", 1);

    assertThat(lab.plain(port, "/healthz").body()).isEqualTo("ok");
    assertThat(lab.plain(port, "/pods").status()).isEqualTo(200);
    assertThat(lab.plain(port, "/containerLogs/default/pod-of-n0/c").status()).isEqualTo(405);
    assertThat(lab.plain(port, "/configz").status()).isEqualTo(404);
    assertThat(lab.asked).isEmpty();
  }

  @Test
  void aPortThatIsTakenIsLeftToItsOwner(Vertx vertx) throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      int port = taken.getLocalPort();
      assertThatThrownBy(() -> ServerLab.start(vertx, "{\"portRange\": \"" + port + "\"}", 1))
          .hasMessageContaining("cannot listen on server.kubeletAddress 127.0.0.1")
          .hasMessageContaining("server.portRange " + port)
          .hasMessageContaining("--set server.enableServer=false");
    }
  }

  @Test
  void moreRequestsThanAllowedAreSentAway(Vertx vertx) throws Exception {
    ServerLab lab = ServerLab.start(vertx, "{\"maxRequests\": 1}", 1);
    lab.provider.endless = true;
    HttpClientResponse following = lab.follow();
    Answer second = lab.get("/healthz");
    assertThat(second.status()).isEqualTo(429);
    assertThat(second.response().getHeader("Retry-After")).isEqualTo("1");

    following.request().connection().close();
    get(lab.provider.gone.future());
  }

  @Test
  void aClientThatIsNotAdmittedHasHalfOfTheConnectionsOfAllPorts(Vertx vertx) throws Exception {
    ServerLab lab = ServerLab.start(vertx, "{\"maxConnections\": 4}", 2);
    try (SSLSocket first = connect(lab, "n0");
        SSLSocket second = connect(lab, "n1")) {
      assertThat(asked(first)).startsWith("HTTP/1.1 401");
      assertThat(asked(second)).startsWith("HTTP/1.1 401");
      assertThat(lab.refusedConnections()).isZero();

      try (SSLSocket third = connect(lab, "n1")) {
        assertThat(asked(third)).startsWith("HTTP/1.1 401");
        assertThat(asked(first)).isEmpty();
        assertThat(asked(second)).startsWith("HTTP/1.1 401");
      }
      assertThat(lab.refusedConnections()).isEqualTo(1);
    }
  }

  private static SSLSocket connect(ServerLab lab, String node) throws Exception {
    SSLContext trusting = SSLContext.getInstance("TLS");
    trusting.init(null, InsecureTrustManagerFactory.INSTANCE.getTrustManagers(), null);
    SSLSocket socket =
        (SSLSocket) trusting.getSocketFactory().createSocket("127.0.0.1", lab.port(node));
    socket.setSoTimeout((int) Waits.LONG.toMillis());
    socket.startHandshake();
    return socket;
  }

  /** What comes for a request without credentials; nothing when the connection was closed. */
  private static String asked(SSLSocket socket) {
    try {
      socket
          .getOutputStream()
          .write("GET /pods HTTP/1.1\r\nHost: n\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      byte[] answer = new byte[4096];
      int length = socket.getInputStream().read(answer);
      return new String(answer, 0, Math.max(0, length), StandardCharsets.US_ASCII);
    } catch (SocketTimeoutException e) {
      throw new AssertionError("neither answered nor closed", e);
    } catch (IOException e) {
      return "";
    }
  }

  @Test
  void aTakenHealthzPortIsTriedAgain(Vertx vertx) throws Exception {
    HealthzServer server;
    int port;
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      port = taken.getLocalPort();
      server = new HealthzServer(port, Duration.ofMillis(20), List::of);
      get(vertx.deployVerticle(server));
      assertThat(server.listening().isComplete()).isFalse();
    }

    assertThat(get(server.listening())).isEqualTo(port);
    assertThat(TestHttp.plain(vertx).get(port, "/healthz").body()).isEqualTo("ok");
  }

  @Test
  void aQueryOfTheLoopbackPortThatCannotBeReadIsRefused(Vertx vertx) throws Exception {
    HealthzServer server = new HealthzServer(0, List::of);
    get(vertx.deployVerticle(server));
    int port = get(server.listening());
    TestHttp http = TestHttp.plain(vertx);

    try (LoggedLines log = LoggedLines.all()) {
      for (String path : List.of("/healthz?%", "/healthz/ping?a=%zz", "/x?%")) {
        assertThat(http.get(port, path).status()).as(path).isEqualTo(400);
      }
      assertThat(log.warnings()).isEmpty();
    }
  }
}
