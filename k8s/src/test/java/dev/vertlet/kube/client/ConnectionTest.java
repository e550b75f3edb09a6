package dev.vertlet.kube.client;

import static dev.vertlet.kube.client.ApiLab.FAST;
import static dev.vertlet.kube.client.ApiLab.failure;
import static dev.vertlet.kube.client.ApiLab.getNodes;
import static dev.vertlet.testsupport.Waits.eventually;
import static dev.vertlet.testsupport.Waits.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vertlet.apiserver.ApiServerOptions;
import dev.vertlet.kube.AccessException;
import dev.vertlet.kube.KubeException;
import dev.vertlet.kube.KubeException.Kind;
import dev.vertlet.kube.KubePath;
import dev.vertlet.kube.KubeRequest;
import dev.vertlet.kube.KubeResponse;
import dev.vertlet.kube.Lane;
import dev.vertlet.kube.TestCertificates;
import dev.vertlet.kube.access.ApiAccess;
import dev.vertlet.kube.access.TlsEngine;
import io.fabric8.kubernetes.client.Config;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Protocols, TLS, proxies and dying connections. */
class ConnectionTest {
  @AutoClose private final ApiLab lab = ApiLab.start(ApiServerOptions.defaults());

  @ParameterizedTest
  @CsvSource({
    "HTTP_2, BORINGSSL, HTTP_2",
    "HTTP_2, JDK, HTTP_2",
    "HTTP_1_1, BORINGSSL, HTTP_1_1",
    "HTTP_1_1, JDK, HTTP_1_1"
  })
  void speaksTlsWithEitherEngineAndProtocol(
      HttpProtocol protocol, TlsEngine engine, String expected) throws Exception {
    KubeClient client = lab.client(FAST.withProtocol(protocol).withTls(engine));

    KubeResponse answer = get(getNodes(client, Lane.REST));
    assertThat(answer.status()).isEqualTo(200);
    assertThat(lab.server.requests().get(0).httpVersion()).isEqualTo(expected);
  }

  /** Vert.x flushes each request by itself, which makes a TLS record of each. */
  @Test
  void sendsTheRequestsOfOneTurnInOnePiece() throws Exception {
    TcpProxy proxy = TcpProxy.to(lab.vertx, lab.server.port());
    String url = "https://127.0.0.1:" + proxy.port();
    KubeClient client = lab.client(FAST, lab.access().withMasterUrl(url).build());
    failure(ApiLab.patchStatus(client, "none"));
    int before = proxy.tlsRecords();

    List<Future<KubeResponse>> requests = new ArrayList<>();
    Promise<Void> sent = Promise.promise();
    client
        .context()
        .runOnContext(
            v -> {
              for (int i = 0; i < 20; i++) {
                requests.add(ApiLab.patchStatus(client, "pod-" + i));
              }
              sent.complete();
            });
    get(sent.future());
    for (Future<KubeResponse> request : requests) {
      assertThat(failure(request).kind()).isEqualTo(Kind.NOT_FOUND);
    }
    assertThat(proxy.tlsRecords() - before).isBetween(1, 10);
  }

  @Test
  void makesDoWithAServerThatOnlySpeaksHttp1() throws Exception {
    ApiLab lab = this.lab.with(ApiServerOptions.defaults().withHttp1Only());
    KubeClient client = lab.client();
    lab.server.faults().on("list", "nodes").delay(Duration.ofMillis(50));

    List<Future<KubeResponse>> requests = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      requests.add(getNodes(client, Lane.REST));
    }
    get(Future.all(requests));
    assertThat(lab.server.requests()).hasSize(20).allMatch(r -> r.httpVersion().equals("HTTP_1_1"));
  }

  @Test
  void plainHttpIsSpokenInVersion2Too() throws Exception {
    ApiLab lab = this.lab.with(ApiServerOptions.defaults().withPlainHttp());

    get(getNodes(lab.client(), Lane.REST));
    assertThat(lab.server.requests().get(0).httpVersion()).isEqualTo("HTTP_2");
  }

  @ParameterizedTest
  @CsvSource({"BORINGSSL", "JDK"})
  void refusesACertificateOfAnotherAuthority(TlsEngine engine) throws Exception {
    Config config = lab.access().withCaCertData(TestCertificates.CA).build();

    KubeException failure = failure(getNodes(lab.client(FAST.withTls(engine), config), Lane.REST));
    assertThat(failure.kind()).isEqualTo(Kind.TRANSPORT);
    assertThat(failure).hasMessageContaining("not signed by the configured certificate authority");
  }

  @Test
  void insecureSkipTlsVerifyAcceptsAnyCertificate() throws Exception {
    Config config = lab.access().withCaCertData(TestCertificates.CA).withTrustCerts(true).build();
    assertThat(get(getNodes(lab.client(FAST, config), Lane.REST)).status()).isEqualTo(200);
  }

  @ParameterizedTest
  @CsvSource({"HTTP_2, kubernetes.default.svc", "HTTP_1_1, kubernetes.default.svc"})
  void checksTheTlsServerNameInsteadOfTheHost(HttpProtocol protocol, String name) throws Exception {
    Config right = lab.access().withTlsServerName(name).build();
    Config wrong = lab.access().withTlsServerName("another.name").build();
    KubeClientOptions options = FAST.withProtocol(protocol);
    assertThat(get(getNodes(lab.client(options, right), Lane.REST)).status()).isEqualTo(200);
    assertThat(failure(getNodes(lab.client(options, wrong), Lane.REST)).kind())
        .isEqualTo(Kind.TRANSPORT);
  }

  @ParameterizedTest
  @CsvSource({"HTTP_2", "HTTP_1_1"})
  void goesThroughAnHttpProxy(HttpProtocol protocol) throws Exception {
    TcpProxy proxy = TcpProxy.connect(lab.vertx);
    Config config = lab.access().withHttpsProxy("http://127.0.0.1:" + proxy.port()).build();

    KubeResponse answer = get(getNodes(lab.client(FAST.withProtocol(protocol), config), Lane.REST));
    assertThat(answer.status()).isEqualTo(200);
    assertThat(proxy.targets()).containsExactly("127.0.0.1:" + lab.server.port());
  }

  @ParameterizedTest
  @CsvSource({"HTTP_2", "HTTP_1_1"})
  void logsInToAProxy(HttpProtocol protocol) throws Exception {
    TcpProxy proxy = TcpProxy.connect(lab.vertx, "Basic Ym9iOnA6dyE="); // bob:p:w!
    String address = "127.0.0.1:" + proxy.port();
    Config right = lab.access().withHttpsProxy("http://bob:p%3Aw%21@" + address).build();
    Config wrong = lab.access().withHttpsProxy("http://bob:pw@" + address).build();
    KubeClientOptions options = FAST.withProtocol(protocol);

    KubeResponse answer = get(getNodes(lab.client(options, right), Lane.REST));
    KubeException refused = failure(getNodes(lab.client(options, wrong), Lane.REST));
    assertThat(answer.status()).isEqualTo(200);
    assertThat(refused.kind()).isEqualTo(Kind.TRANSPORT);
    assertThat(refused).hasMessageContaining("407").hasMessageNotContaining("pw");
  }

  @ParameterizedTest
  @CsvSource({"HTTP_2", "HTTP_1_1"})
  void sendsBasicCredentials(HttpProtocol protocol, @TempDir Path directory) throws Exception {
    List<String> authorizations = new CopyOnWriteArrayList<>();
    HttpServer server =
        get(
            lab.vertx
                .createHttpServer()
                .requestHandler(
                    request -> {
                      authorizations.add(request.getHeader("Authorization"));
                      request.response().end("{}");
                    })
                .listen(0, "127.0.0.1"));
    String kubeconfig =
        """
        apiVersion: v1
        kind: Config
        clusters: [{name: c, cluster: {server: "http://127.0.0.1:%d"}}]
        users: [{name: u, user: {username: bob, password: "p:w"}}]
        contexts: [{name: c, context: {cluster: c, user: u}}]
        current-context: c
        """
            .formatted(server.actualPort());

    get(getNodes(client(lab.vertx, FAST.withProtocol(protocol), directory, kubeconfig), Lane.REST));
    assertThat(authorizations).containsExactly("Basic Ym9iOnA6dw=="); // bob:p:w
  }

  @Test
  void aPingFindsAConnectionThatIsHalfOpen() throws Exception {
    ApiLab lab = this.lab.with(ApiServerOptions.defaults().withPlainHttp());
    TcpProxy proxy = TcpProxy.to(lab.vertx, lab.server.port());
    Config config = lab.access().withMasterUrl("http://127.0.0.1:" + proxy.port()).build();
    Duration ping = Duration.ofMillis(100);
    KubeClient client =
        lab.client(FAST.withTimeouts(Duration.ofMinutes(10), Duration.ofSeconds(5), ping), config);
    get(getNodes(client, Lane.REST));

    proxy.freeze();
    KubeException failure = failure(getNodes(client, Lane.REST));
    assertThat(failure.kind()).isEqualTo(Kind.TRANSPORT);
    proxy.thaw();
    eventually(
        () ->
            assertThat(get(getNodes(client, Lane.REST).map(KubeResponse::status).otherwise(0)))
                .isEqualTo(200));
  }

  @Test
  void leavesAConnectionThatIsToldToGoAway() throws Exception {
    List<HttpConnection> connections = new CopyOnWriteArrayList<>();
    HttpServer server =
        get(
            lab.vertx
                .createHttpServer(new HttpServerOptions())
                .connectionHandler(connections::add)
                .requestHandler(
                    request -> {
                      if (request.path().endsWith("/first")) {
                        request.connection().goAway(0);
                        lab.vertx.setTimer(50, id -> request.response().end("{}"));
                      } else {
                        request.response().end("{}");
                      }
                    })
                .listen(0, "127.0.0.1"));
    ApiAccess access = ApiAccess.of("http://127.0.0.1:" + server.actualPort(), "");
    KubeClient client = get(KubeClient.create(lab.vertx, FAST, access, new SimpleMeterRegistry()));

    Future<KubeResponse> first = client.send(KubeRequest.get(Lane.REST, KubePath.node("first")));
    get(first);
    Future<KubeResponse> second = client.send(KubeRequest.get(Lane.REST, KubePath.node("second")));
    assertThat(get(second).status()).isEqualTo(200);
    assertThat(connections).hasSize(2);
  }

  @ParameterizedTest
  @CsvSource({
    "HTTP_2, BORINGSSL, RSA_PKCS1",
    "HTTP_2, BORINGSSL, RSA_PKCS8",
    "HTTP_2, BORINGSSL, EC_SEC1",
    "HTTP_2, BORINGSSL, EC_SEC1_WITH_PARAMETERS",
    "HTTP_2, BORINGSSL, EC_PKCS8",
    "HTTP_2, JDK, RSA_PKCS1",
    "HTTP_2, JDK, RSA_PKCS8",
    "HTTP_2, JDK, EC_SEC1",
    "HTTP_2, JDK, EC_SEC1_WITH_PARAMETERS",
    "HTTP_2, JDK, EC_PKCS8",
    "HTTP_1_1, BORINGSSL, RSA_PKCS1",
    "HTTP_1_1, BORINGSSL, EC_SEC1",
    "HTTP_1_1, JDK, RSA_PKCS1",
    "HTTP_1_1, JDK, EC_SEC1"
  })
  void isKnownByItsClientCertificate(
      HttpProtocol protocol,
      TlsEngine engine,
      ClientCertificate.KeyForm key,
      @TempDir Path directory)
      throws Exception {
    ClientCertificate bob = ClientCertificate.of("bob", key);
    MutualTlsServer server = MutualTlsServer.start(lab.vertx, bob);
    String user =
        "client-certificate-data: %s\nclient-key-data: %s"
            .formatted(bob.pemBase64(), bob.keyBase64());
    KubeClientOptions options = FAST.withProtocol(protocol).withTls(engine);
    KubeClient client = client(lab.vertx, options, directory, server.kubeconfig(user));

    KubeResponse answer = get(getNodes(client, Lane.REST));
    assertThat(answer.status()).isEqualTo(200);
    assertThat(server.users()).containsExactly(protocol + " CN=bob");
  }

  @ParameterizedTest
  @CsvSource({"HTTP_2, BORINGSSL", "HTTP_2, JDK", "HTTP_1_1, BORINGSSL", "HTTP_1_1, JDK"})
  void getsNoAnswerWithoutTheCertificateThatTheServerAsksFor(
      HttpProtocol protocol, TlsEngine engine, @TempDir Path directory) throws Exception {
    ClientCertificate bob = ClientCertificate.of("bob", ClientCertificate.KeyForm.EC_PKCS8);
    MutualTlsServer server = MutualTlsServer.start(lab.vertx, bob);
    KubeClientOptions options = FAST.withProtocol(protocol).withTls(engine);
    KubeClient client = client(lab.vertx, options, directory, server.kubeconfig("token: unheard"));

    KubeException failure = failure(getNodes(client, Lane.REST));
    assertThat(failure.kind()).isEqualTo(Kind.TRANSPORT);
    assertThat(server.users()).isEmpty();
  }

  @Test
  void saysBeforeItConnectsThatAnEngineIsMissingOrAKeyIsBroken() throws Exception {
    Config config =
        lab.access()
            .withClientCertData(TestCertificates.CA)
            .withClientKeyData("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n")
            .build();
    assertThatThrownBy(() -> lab.client(FAST, config))
        .isInstanceOf(AccessException.class)
        .hasMessageContaining("client-key is not usable");
  }

  private static KubeClient client(
      Vertx vertx, KubeClientOptions options, Path directory, String kubeconfig) throws Exception {
    Path file = Files.writeString(directory.resolve("config"), kubeconfig);
    ApiAccess access = new ApiAccess(file, null, Map.of(), directory, directory, null);
    return get(KubeClient.create(vertx, options, access, new SimpleMeterRegistry()));
  }
}
