package dev.vertlet.kube.access;

import static dev.vertlet.kube.client.ApiLab.FAST;
import static dev.vertlet.kube.client.ApiLab.failure;
import static dev.vertlet.kube.client.ApiLab.getNodes;
import static dev.vertlet.testsupport.Waits.eventually;
import static dev.vertlet.testsupport.Waits.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vertlet.apiserver.ApiServerOptions;
import dev.vertlet.kube.AccessException;
import dev.vertlet.kube.Backoff;
import dev.vertlet.kube.KubeException;
import dev.vertlet.kube.KubeException.Kind;
import dev.vertlet.kube.KubePath;
import dev.vertlet.kube.KubeRequest;
import dev.vertlet.kube.KubeResponse;
import dev.vertlet.kube.Lane;
import dev.vertlet.kube.ListWatch;
import dev.vertlet.kube.TestCertificates;
import dev.vertlet.kube.Thing;
import dev.vertlet.kube.ThingDecoder;
import dev.vertlet.kube.client.ApiLab;
import dev.vertlet.kube.client.ClientCertificate;
import dev.vertlet.kube.client.HttpProtocol;
import dev.vertlet.kube.client.KubeClient;
import dev.vertlet.kube.client.KubeClientOptions;
import dev.vertlet.kube.client.KubeMetrics;
import dev.vertlet.kube.client.MutualTlsServer;
import dev.vertlet.kube.watch.Reflector;
import dev.vertlet.kube.watch.World;
import dev.vertlet.testsupport.ManualClock;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CredentialsTest {
  @AutoClose private final ApiLab lab = ApiLab.start();

  @TempDir Path directory;

  private final ManualClock clock = new ManualClock();

  @Test
  void manyRequestsRefusedAtOnceShareOneRefresh() throws Exception {
    KubeClient client = client(lab);
    get(getNodes(client, Lane.REST));

    rotate();
    List<Future<KubeResponse>> requests = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      requests.add(getNodes(client, i % 2 == 0 ? Lane.REST : Lane.LEASE));
    }
    get(Future.all(requests));
    assertThat(requests).allMatch(request -> request.result().status() == 200);
    assertThat(lab.metric(KubeMetrics.REFRESHES)).isEqualTo(1);
  }

  @Test
  void aTokenFileIsReadAgainEachMinute() throws Exception {
    KubeClient client = client(lab);
    token("rotated");
    lab.server.acceptTokens(lab.server.token(), "rotated");

    clock.advance(Duration.ofSeconds(61));
    get(getNodes(client, Lane.REST));
    lab.server.acceptTokens("rotated");
    assertThat(get(getNodes(client, Lane.REST)).status()).isEqualTo(200);
  }

  @Test
  void aSecond401IsFinalAndSaysSo() throws Exception {
    KubeClient client = client(lab);
    lab.server.acceptTokens("another");
    token("still-wrong");
    clock.advance(Duration.ofSeconds(5));

    KubeException failure = failure(getNodes(client, Lane.REST));
    assertThat(failure.kind()).isEqualTo(Kind.UNAUTHORIZED);
    assertThat(failure).hasMessageStartingWith("get /api/v1/nodes: 401 Unauthorized");
    assertThat(lab.server.count("list", "nodes")).isLessThanOrEqualTo(2);
  }

  @Test
  void aServerThatRefusedFreshCredentialsIsBackOnceItAcceptsThem() throws Exception {
    KubeClient client = client(lab);
    AtomicInteger returns = new AtomicInteger();
    client.whenServerReturns(returns::incrementAndGet);
    lab.server.acceptTokens("another");
    token("not-yet-accepted");
    clock.advance(Duration.ofSeconds(5));
    failure(getNodes(client, Lane.REST));

    lab.server.acceptTokens("not-yet-accepted");
    get(getNodes(client, Lane.REST));
    eventually(() -> assertThat(returns).hasValue(1));
  }

  @Test
  void aWatchWhoseFreshCredentialsWereRefusedHurriesBackOnceTheyAreAccepted() throws Exception {
    KubeClient client = client(lab);
    Backoff endless = new Backoff(Duration.ofMinutes(10), Duration.ofMinutes(10), 1, 0);
    lab.server.acceptTokens("another");
    token("not-yet-accepted");
    clock.advance(Duration.ofSeconds(5));
    Reflector<Thing> reflector =
        new Reflector<>(
            client,
            ListWatch.of("nodes", KubePath.nodes(), new ThingDecoder()),
            new World(),
            endless,
            () -> 0);
    Future<Void> synced = reflector.start();
    eventually(() -> assertThat(lab.metric(KubeMetrics.RETRIES)).isEqualTo(1));

    lab.server.acceptTokens("not-yet-accepted");
    eventually(
        () -> {
          get(getNodes(client, Lane.REST));
          assertThat(synced.isComplete()).isTrue();
        });
  }

  @Test
  void saysWhenFreshCredentialsCannotBeRead() throws Exception {
    KubeClient client = client(lab);
    lab.server.acceptTokens("another");
    Files.delete(directory.resolve("token"));
    clock.advance(Duration.ofSeconds(5));

    KubeException failure = failure(getNodes(client, Lane.REST));
    assertThat(failure.kind()).isEqualTo(Kind.UNAUTHORIZED);
    assertThat(failure)
        .hasMessageContaining("no fresh credentials: ")
        .hasMessageContaining("token file");
  }

  @Test
  void aWatchIsAuthenticatedAnewAsWell() throws Exception {
    KubeClient client = client(lab);
    rotate();

    Reflector<Thing> reflector =
        new Reflector<>(
            client,
            ListWatch.of("nodes", KubePath.nodes(), new ThingDecoder()),
            new World(),
            Reflector.DEFAULT_BACKOFF,
            new java.util.Random(1));
    get(reflector.start());
    assertThat(reflector.synced()).isTrue();
    assertThat(lab.metric(KubeMetrics.RETRIES)).isEqualTo(1);
  }

  /** As a busy machine has it: the worker ends before the event loop has looked at its Future. */
  @Test
  void areReadAgainAfterAReadingThatEndedAtOnce() {
    AtomicInteger readings = new AtomicInteger();
    Credentials credentials =
        new Credentials(
            () -> Future.succeededFuture(snapshot("token" + readings.incrementAndGet())),
            false,
            snapshot("token0"),
            clock,
            new SimpleMeterRegistry().counter("reads"),
            next -> {});
    for (int edition = 0; edition < 3; edition++) {
      clock.advance(Duration.ofSeconds(2));
      assertThat(credentials.refresh(edition).result()).isTrue();
      assertThat(credentials.authorization()).isEqualTo("Bearer token" + (edition + 1));
    }
  }

  private static AccessSnapshot snapshot(String token) {
    return ApiAccess.of("http://127.0.0.1:1", token).load();
  }

  @ParameterizedTest
  @EnumSource(HttpProtocol.class)
  void aReplacedCertificateAuthorityIsUsedForTheNextConnection(HttpProtocol protocol)
      throws Exception {
    ApiLab lab = this.lab.with(ApiServerOptions.defaults());
    Path ca = Files.writeString(directory.resolve("ca.crt"), TestCertificates.CA);
    String kubeconfig =
        lab.server
            .kubeconfig()
            .replaceFirst("certificate-authority-data: .*", "certificate-authority: ca.crt");
    KubeClient client = client(lab.vertx, FAST.withProtocol(protocol), kubeconfig, lab.registry);
    KubeException refused = failure(getNodes(client, Lane.REST));
    // when: long before the file would be read again in any case
    Files.writeString(ca, lab.server.caPem());
    clock.advance(Duration.ofSeconds(2));
    assertThat(refused).hasMessageContaining("certificate authority");
    eventually(
        () ->
            assertThat(get(getNodes(client, Lane.REST).map(KubeResponse::status).otherwise(0)))
                .isEqualTo(200));
  }

  @Test
  void anExecPluginIsRunAgainBeforeItsTokenEnds() throws Exception {
    execToken(lab.server.token(), "2026-01-01T01:00:00Z");
    KubeClient client = client(lab, asUser(lab, execUser()));
    clock.advance(Duration.ofMinutes(59));
    get(getNodes(client, Lane.REST));
    long runsBefore = runs();

    execToken("rotated", "2026-01-01T02:00:00Z");
    clock.advance(Duration.ofSeconds(31));
    get(getNodes(client, Lane.REST));
    eventually(() -> assertThat(runs()).isEqualTo(2));
    lab.server.acceptTokens("rotated");
    assertThat(get(getNodes(client, Lane.REST)).status()).isEqualTo(200);
    assertThat(runsBefore).isEqualTo(1);
    assertThat(runs()).isEqualTo(2);
  }

  @Test
  void anExecPluginIsRunAgainAfterA401() throws Exception {
    execToken(lab.server.token(), "2026-01-01T01:00:00Z");
    KubeClient client = client(lab, asUser(lab, execUser()));
    lab.server.acceptTokens("rotated");
    execToken("rotated", "2026-01-01T01:00:00Z");
    clock.advance(Duration.ofSeconds(5));

    KubeResponse answer = get(getNodes(client, Lane.REST));
    assertThat(answer.status()).isEqualTo(200);
    assertThat(runs()).isEqualTo(2);
    assertThat(lab.metric(KubeMetrics.RETRIES)).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource(HttpProtocol.class)
  void anExecPluginsCertificateIsShownAndReplacedAfterA401(HttpProtocol protocol) throws Exception {
    ClientCertificate bob = ClientCertificate.of("bob", ClientCertificate.KeyForm.EC_SEC1);
    ClientCertificate eve = ClientCertificate.of("eve", ClientCertificate.KeyForm.RSA_PKCS1);
    MutualTlsServer server = MutualTlsServer.start(lab.vertx, bob, eve);
    execCertificate(bob);
    KubeClient client =
        client(
            lab.vertx,
            FAST.withProtocol(protocol),
            server.kubeconfig(execUser()),
            new SimpleMeterRegistry());
    get(getNodes(client, Lane.REST));

    server.acceptOnly("CN=eve");
    execCertificate(eve);
    clock.advance(Duration.ofSeconds(5));
    KubeResponse answer = get(getNodes(client, Lane.REST));
    assertThat(answer.status()).isEqualTo(200);
    assertThat(server.users())
        .containsExactly(protocol + " CN=bob", protocol + " CN=bob", protocol + " CN=eve");
  }

  /** As kubelets keep theirs. The API server knows whom it refuses by the connection alone. */
  @Test
  void requestsRefusedAfterTheCertificateWasReplacedInItsFileGoAgainToo() throws Exception {
    ClientCertificate bob = ClientCertificate.of("bob", ClientCertificate.KeyForm.EC_PKCS8);
    ClientCertificate eve = ClientCertificate.of("eve", ClientCertificate.KeyForm.EC_PKCS8);
    MutualTlsServer server = MutualTlsServer.start(lab.vertx, bob, eve);
    Path file = directory.resolve("current.pem");
    Files.writeString(file, bob.pem() + bob.keyPem());
    KubeClient client =
        client(
            lab.vertx,
            FAST,
            server.kubeconfig("client-certificate: current.pem\nclient-key: current.pem"),
            new SimpleMeterRegistry());

    server.acceptOnlyAndRefuseLate("CN=eve");
    Files.writeString(file, eve.pem() + eve.keyPem());
    clock.advance(Duration.ofSeconds(5));
    List<Future<KubeResponse>> requests = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      requests.add(getNodes(client, Lane.REST));
    }
    get(Future.all(requests));
    assertThat(requests).allMatch(request -> request.result().status() == 200);
    assertThat(server.users()).filteredOn(user -> user.endsWith("CN=bob")).hasSize(10);
  }

  @Test
  void aTokenFileIsReadAgainWhenTheClockWasSetBack() throws Exception {
    KubeClient client = client(lab);
    clock.advance(Duration.ofHours(-1));
    token("rotated");
    lab.server.acceptTokens("rotated");
    assertThat(get(getNodes(client, Lane.REST)).status()).isEqualTo(200);
  }

  @Test
  void noRequestWaitsLongerForAHungExecPluginThanForTheServer() throws Exception {
    execToken(lab.server.token(), "2026-01-01T01:00:00Z");
    KubeClient client = client(lab, asUser(lab, execUser()));
    get(getNodes(client, Lane.REST));
    lab.server.acceptTokens("rotated");
    Path hang = Files.createFile(directory.resolve("hang"));
    clock.advance(Duration.ofSeconds(5));

    KubeRequest request = KubeRequest.get(Lane.REST, KubePath.nodes());
    KubeException first = failure(client.send(request.withTimeout(Duration.ofSeconds(1))));
    KubeException second = failure(client.send(request.withTimeout(Duration.ofSeconds(1))));
    Files.delete(hang);
    assertThat(List.of(first, second))
        .allSatisfy(
            failure -> {
              assertThat(failure.kind()).isEqualTo(Kind.UNAUTHORIZED);
              assertThat(failure).hasMessageContaining("no fresh credentials: reading them takes");
            });
    assertThat(runs()).isEqualTo(2);
  }

  /** The kubelet swaps the link {@code ..data}; the files themselves never change. */
  @Test
  void aPodsTokenIsReadAgainWhenTheKubeletRotatesIt() throws Exception {
    ApiLab lab = this.lab.with(ApiServerOptions.defaults());
    project(lab, "..first", lab.server.token());
    Files.createSymbolicLink(directory.resolve("token"), Path.of("..data", "token"));
    Files.createSymbolicLink(directory.resolve("ca.crt"), Path.of("..data", "ca.crt"));
    Map<String, String> pod =
        Map.of(
            "KUBERNETES_SERVICE_HOST",
            "127.0.0.1",
            "KUBERNETES_SERVICE_PORT",
            Integer.toString(lab.server.port()));
    ApiAccess access = new ApiAccess(null, null, pod, directory, directory, null);
    KubeClient client = get(KubeClient.create(lab.vertx, FAST, access, lab.registry, clock));
    get(getNodes(client, Lane.REST));

    project(lab, "..second", "rotated");
    lab.server.acceptTokens("rotated");
    clock.advance(Duration.ofSeconds(5));
    KubeResponse answer = get(getNodes(client, Lane.REST));
    assertThat(answer.status()).isEqualTo(200);
    assertThat(lab.metric(KubeMetrics.RETRIES)).isEqualTo(1);
    assertThat(lab.metric(KubeMetrics.CONNECTIONS, "connection", "main")).isEqualTo(1);
  }

  @Test
  void aConfigurationThatCannotBeUsedFailsTheCreation() {
    ApiAccess access =
        new ApiAccess(directory.resolve("none"), null, Map.of(), directory, directory, null);
    assertThatThrownBy(
            () -> get(KubeClient.create(lab.vertx, FAST, access, new SimpleMeterRegistry())))
        .isInstanceOf(AccessException.class)
        .hasMessageContaining("cannot be read: no such file");
  }

  private KubeClient client(ApiLab lab) throws Exception {
    token(lab.server.token());
    return client(lab, asUser(lab, "tokenFile: token"));
  }

  private KubeClient client(ApiLab lab, String kubeconfig) throws Exception {
    return client(lab.vertx, FAST, kubeconfig, lab.registry);
  }

  private KubeClient client(
      Vertx vertx, KubeClientOptions options, String kubeconfig, MeterRegistry registry)
      throws Exception {
    Path file = Files.writeString(directory.resolve("config"), kubeconfig);
    ApiAccess access = new ApiAccess(file, null, Map.of(), directory, directory, null);
    return get(KubeClient.create(vertx, options, access, registry, clock));
  }

  /** The server's kubeconfig with other credentials: a line of YAML. */
  private static String asUser(ApiLab lab, String user) {
    return lab.server.kubeconfig().replace("token: " + lab.server.token(), user);
  }

  /** Only another token is taken any more, and it is in the file. */
  private void rotate() throws IOException {
    lab.server.acceptTokens("rotated");
    token("rotated");
    clock.advance(Duration.ofSeconds(5));
  }

  private void token(String token) throws IOException {
    Files.writeString(directory.resolve("token"), token);
  }

  /** What a Pod finds in its volume of the service account. */
  private void project(ApiLab lab, String version, String token) throws IOException {
    Path volume = Files.createDirectory(directory.resolve(version));
    Files.writeString(volume.resolve("token"), token);
    Files.writeString(volume.resolve("ca.crt"), lab.server.caPem());
    Path link = Files.createSymbolicLink(directory.resolve("..tmp"), Path.of(version));
    Files.move(link, directory.resolve("..data"), StandardCopyOption.ATOMIC_MOVE);
  }

  /** A user whose plugin prints what {@link #execToken} and its like prepared. */
  private String execUser() throws IOException {
    Path plugin = directory.resolve("plugin.sh");
    Files.writeString(
        plugin,
        """
        #!/bin/sh
        cd "$(dirname "$0")"
        echo run >> runs
        while [ -e hang ]; do sleep 0.05; done
        cat credential
        """);
    assertThat(plugin.toFile().setExecutable(true)).isTrue();
    return "exec: {apiVersion: client.authentication.k8s.io/v1, command: ./plugin.sh}";
  }

  private void execToken(String token, String expires) throws IOException {
    execCredential(new JsonObject().put("token", token).put("expirationTimestamp", expires));
  }

  private void execCertificate(ClientCertificate certificate) throws IOException {
    execCredential(
        new JsonObject()
            .put("clientCertificateData", certificate.pem())
            .put("clientKeyData", certificate.keyPem()));
  }

  private void execCredential(JsonObject status) throws IOException {
    JsonObject credential =
        new JsonObject()
            .put("apiVersion", "client.authentication.k8s.io/v1")
            .put("kind", "ExecCredential")
            .put("status", status);
    Files.writeString(directory.resolve("credential"), credential.encode());
  }

  private long runs() throws IOException {
    return Files.readAllLines(directory.resolve("runs")).size();
  }
}
