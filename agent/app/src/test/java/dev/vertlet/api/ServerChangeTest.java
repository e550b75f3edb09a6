package dev.vertlet.api;

import static dev.vertlet.testsupport.Waits.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vertlet.api.route.NodeServer;
import dev.vertlet.apiserver.LoopbackPorts;
import dev.vertlet.testsupport.TestHttp;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpMethod;
import io.vertx.junit5.VertxExtension;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Set;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What a config can change of the way in which a kubelet is served, while it is. */
@ExtendWith(VertxExtension.class)
class ServerChangeTest {
  private static final String EXEC = "/exec/default/pod-of-n0/c?command=x&output=1";
  private ServerLab lab;

  @BeforeEach
  void start(Vertx vertx) throws Exception {
    lab = ServerLab.start(vertx, "{}", 2);
  }

  private boolean configure(String node, NodeServer settings) throws Exception {
    return get(lab.server.configure(node, settings));
  }

  private int pods(int port) {
    return lab.call(port, HttpMethod.GET, "/pods", ServerLab.GOOD).status();
  }

  @Test
  @Tag("A10")
  void aPortIsLeftAfterTheNextOneAnswers() throws Exception {
    int before = lab.portNow("n0");
    int other = lab.portNow("n1");
    int port = LoopbackPorts.next();

    assertThat(configure("n0", lab.server("{}", port))).isTrue();

    assertThat(lab.portNow("n0")).isEqualTo(port);
    assertThat(pods(port)).isEqualTo(200);
    assertThat(pods(before)).as("who has not heard yet").isEqualTo(200);
    assertThat(lab.portNow("n1")).isEqualTo(other);
    assertThat(pods(other)).isEqualTo(200);
    assertThat(configure("n0", lab.server("{}", before))).as("back at once").isTrue();
    assertThat(pods(before)).isEqualTo(200);
    assertThat(lab.opened).containsExactly("identity", "access");
  }

  @Test
  @Tag("A47")
  void aPortThatIsInUseChangesNothing() throws Exception {
    int before = lab.portNow("n0");
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      assertThatThrownBy(() -> configure("n0", lab.server("{}", taken.getLocalPort())))
          .hasMessageStartingWith(
              "cannot listen on address 127.0.0.1, port %d, which the config of node n0 names: "
                  .formatted(taken.getLocalPort()))
          .hasMessageContaining("in use");
    }
    assertThatThrownBy(() -> configure("n0", lab.server("{}", lab.portNow("n1"))))
        .hasMessageEndingWith("this agent listens there already");

    assertThat(lab.portNow("n0")).isEqualTo(before);
    assertThat(pods(before)).isEqualTo(200);
  }

  @Test
  void thePortThatItHasIsNoOther() throws Exception {
    assertThat(configure("n0", lab.server("{}", lab.portNow("n0"))))
        .as("the one that it has")
        .isFalse();
    int port = LoopbackPorts.next();
    configure("n0", lab.server("{}", port));

    assertThat(configure("n0", lab.server("{}", 0))).as("any is of the range").isFalse();
    assertThat(lab.portNow("n0")).isEqualTo(port);
  }

  @Test
  void whoAnswersIsAnotherOneOnTheSamePort() throws Exception {
    int port = lab.portNow("n0");
    NodeServer quiet = lab.server("{\"enableDebuggingHandlers\": false}", 0);

    assertThat(configure("n0", quiet)).isTrue();

    assertThat(lab.call(port, HttpMethod.POST, EXEC, ServerLab.GOOD).body())
        .isEqualTo("Debug endpoints are disabled.\n");
    assertThat(pods(port)).isEqualTo(200);
    assertThat(lab.call(lab.portNow("n1"), HttpMethod.POST, EXEC, ServerLab.GOOD).status())
        .as("of another node")
        .isNotEqualTo(405);
    assertThat(lab.server.endpoints().result().get("n0"))
        .as("without streams")
        .isEqualTo(new dev.vertlet.nodes.KubeletEndpoint(port, java.util.List.of()));
    assertThat(lab.opened).containsExactly("identity", "access", "access");
    assertThat(configure("n1", quiet)).isTrue();
    assertThat(lab.opened).as("shared by both").containsExactly("identity", "access");
  }

  @Test
  void whatIsShownChangesOnTheSamePort(Vertx vertx) throws Exception {
    int port = lab.portNow("n0");
    TestHttp old =
        new TestHttp(
            vertx.createHttpClient(
                TestHttp.trustingOptions()
                    .setKeepAlive(false)
                    .setEnabledSecureTransportProtocols(Set.of("TLSv1.2"))));
    assertThat(old.get(port, "/pods").status()).isEqualTo(401);

    String newest = "{\"tls\": {\"tlsMinVersion\": \"VersionTLS13\"}}";
    assertThat(configure("n0", lab.server(newest, 0))).isTrue();

    assertThatThrownBy(() -> old.get(port, "/pods").status())
        .isInstanceOf(SSLHandshakeException.class);
    assertThat(pods(port)).isEqualTo(200);
    assertThat(old.get(lab.portNow("n1"), "/pods").status()).isEqualTo(401);
  }

  @Test
  void anotherAddressIsTakenOnTheSamePort(Vertx vertx) throws Exception {
    int port = lab.portNow("n0");

    assertThat(configure("n0", lab.server("{\"kubeletAddress\": \"0.0.0.0\"}", 0))).isTrue();
    assertThat(pods(port)).isEqualTo(200);

    assertThatThrownBy(() -> configure("n0", lab.server("{\"kubeletAddress\": \"192.0.2.1\"}", 0)))
        .hasMessageContaining("cannot listen on server.kubeletAddress 192.0.2.1");
    assertThat(pods(port)).as("as it was").isEqualTo(200);
    assertThat(lab.portNow("n0")).isEqualTo(port);
  }
}
