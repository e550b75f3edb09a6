package dev.vertlet.harness.fault;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.client.Config;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.ClientAuth;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.PemTrustOptions;
import io.vertx.junit5.VertxExtension;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(VertxExtension.class)
class FaultProxyTest {
  private static final String STATUS = "/api/v1/namespaces/ns/pods/p/status";
  private static final String WATCH = "/api/v1/pods?watch=true";

  @TempDir private Path dir;

  /** Vert.x closes a client that nobody holds, with its connections. */
  private final Map<HttpClient, String> tokens = new IdentityHashMap<>();

  private Vertx vertx;
  private Backend backend;
  private FaultProxy proxy;
  private HttpClient client;

  @BeforeEach
  void start(Vertx vertx) throws Exception {
    this.vertx = vertx;
    backend = Backend.start(vertx, ClientAuth.NONE).await(20, SECONDS);
    proxy = startProxy(backend.tokenKubeconfig(dir));
    client = connect(proxy, HttpVersion.HTTP_2);
  }

  @ParameterizedTest
  @EnumSource(
      value = HttpVersion.class,
      names = {"HTTP_2", "HTTP_1_1"})
  void passesRequestsAndAnswersUnchanged(HttpVersion version) throws Exception {
    HttpClient ofVersion = connect(proxy, version);

    HttpClientResponse answer =
        send(ofVersion, HttpMethod.PATCH, STATUS + "?fieldManager=x", "{}").await(20, SECONDS);

    assertThat(answer.version()).isEqualTo(version);
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.getHeader("X-Kind")).isEqualTo("echo");
    assertThat(answer.body().await(20, SECONDS))
        .hasToString("PATCH " + STATUS + "?fieldManager=x {}");
    assertThat(backend.authorizations).containsExactly("Bearer " + Backend.TOKEN);
    assertThat(proxy.traffic().count("patch", "pods/status")).isEqualTo(1);
    await().until(() -> proxy.traffic().total("*", "*").requestBytes() == 2);
    assertThat(proxy.traffic().bytesToServer()).isPositive();
  }

  @ParameterizedTest
  @EnumSource(
      value = HttpVersion.class,
      names = {"HTTP_2", "HTTP_1_1"})
  void watchEventsPassOneByOneAndTheHeadBeforeAnyOfThem(HttpVersion version) throws Exception {
    Watch watch = new Watch(connect(proxy, version));

    watch.server().response().write("one\n").await(20, SECONDS);
    assertThat(watch.next()).isEqualTo("one\n");
    watch.server().response().write("two\n").await(20, SECONDS);
    assertThat(watch.next()).isEqualTo("two\n");
  }

  @ParameterizedTest
  @EnumSource(
      value = HttpVersion.class,
      names = {"HTTP_2", "HTTP_1_1"})
  void aWatchThatTheServerBreaksOffDoesNotEndAsIfItWereWhole(HttpVersion version) throws Exception {
    Watch watch = new Watch(connect(proxy, version));

    watch.server().connection().close().await(20, SECONDS);

    assertThat(watch.end()).isEqualTo("broken");
  }

  @Test
  void aWatchThatTheServerEndsEnds() throws Exception {
    Watch watch = new Watch(client);

    watch.server().response().end().await(20, SECONDS);

    assertThat(watch.end()).isEqualTo("ended");
  }

  @Test
  void aWatchThatTheClientCancelsIsCancelledAtTheServer() throws Exception {
    Watch watch = new Watch(client);

    watch.answer.request().reset().await(20, SECONDS);

    assertThat(backend.cancelled.poll(20, SECONDS)).isEqualTo(WATCH);
  }

  @Test
  void aRequestThatTheClientCancelsTakesNoOtherOfItsConnectionAlong() throws Exception {
    HttpClientResponse before = send(client, HttpMethod.GET, STATUS, "").await(20, SECONDS);
    HttpClientRequest unanswered =
        client.request(request(client, Backend.UNANSWERED)).await(20, SECONDS);
    Future<HttpClientResponse> never = unanswered.send();
    await().until(() -> backend.received.size() == 2);

    unanswered.reset().await(20, SECONDS);
    assertThat(backend.cancelled.poll(20, SECONDS)).isEqualTo(Backend.UNANSWERED);

    HttpClientResponse after = send(client, HttpMethod.GET, STATUS, "").await(20, SECONDS);
    assertThat(after.request().connection()).isSameAs(before.request().connection());
    assertThat(never.failed()).isTrue();
  }

  @Test
  void anAnswerInTheServersPlaceIsAStatusAndReachesNobody() throws Exception {
    InjectedFault fault =
        proxy.inject(
            Fault.tooManyRequests(Duration.ofSeconds(3)).on("patch", "pods/status").times(1));

    HttpClientResponse refused = send(client, HttpMethod.PATCH, STATUS, "{}").await(20, SECONDS);
    HttpClientResponse passed = send(client, HttpMethod.PATCH, STATUS, "{}").await(20, SECONDS);

    assertThat(refused.statusCode()).isEqualTo(429);
    assertThat(refused.getHeader("Retry-After")).isEqualTo("3");
    assertThat(new JsonObject(refused.body().await(20, SECONDS)).getString("reason"))
        .isEqualTo("TooManyRequests");
    assertThat(passed.statusCode()).isEqualTo(200);
    assertThat(backend.received).hasSize(1);
    assertThat(fault.hits()).isEqualTo(1);
    assertThat(proxy.traffic().total("patch", "pods/status").failures()).isEqualTo(1);
  }

  @Test
  void aLostAnswerIsOfAnExecutedRequest() throws Exception {
    proxy.inject(Fault.loseAnswer().times(1));

    assertThatThrownBy(() -> send(client, HttpMethod.PATCH, STATUS, "{}").await(20, SECONDS))
        .isInstanceOf(Exception.class);

    assertThat(backend.received).containsExactly("PATCH " + STATUS);
    assertThat(send(client, HttpMethod.GET, STATUS, "").await(20, SECONDS).statusCode())
        .isEqualTo(200);
  }

  @Test
  void aCutRequestIsNotExecuted() throws Exception {
    proxy.inject(Fault.cut().times(1));

    assertThatThrownBy(() -> send(client, HttpMethod.PATCH, STATUS, "{}").await(20, SECONDS))
        .isInstanceOf(Exception.class);

    assertThat(backend.received).isEmpty();
  }

  @Test
  void aDelayedRequestIsAnswered() throws Exception {
    proxy.inject(Fault.delay(Duration.ofMillis(5)).times(1));

    assertThat(send(client, HttpMethod.POST, "/api/v1/nodes", "{}").await(20, SECONDS).statusCode())
        .isEqualTo(200);
  }

  @Test
  void aHangingRequestIsNeverAnsweredWhileOthersAre() throws Exception {
    proxy.inject(Fault.hang().on("patch", "*"));

    Future<HttpClientResponse> hanging = send(client, HttpMethod.PATCH, STATUS, "{}");
    await().until(() -> proxy.traffic().count("patch", "*") == 1);

    assertThat(send(client, HttpMethod.GET, STATUS, "").await(20, SECONDS).statusCode())
        .isEqualTo(200);
    assertThat(hanging.isComplete()).isFalse();
  }

  @Test
  void cuttingWatchesSparesConnectionsWithoutOne() throws Exception {
    Watch watch = new Watch(connect(proxy, HttpVersion.HTTP_2));
    HttpClientResponse before = send(client, HttpMethod.GET, STATUS, "").await(20, SECONDS);

    assertThat(proxy.cutWatches().await(20, SECONDS)).isEqualTo(1);

    assertThat(watch.end()).isEqualTo("broken");
    HttpClientResponse after = send(client, HttpMethod.GET, STATUS, "").await(20, SECONDS);
    assertThat(after.request().connection()).isSameAs(before.request().connection());
    assertThat(proxy.cutWatches().await(20, SECONDS)).isZero();
  }

  @Test
  void cuttingActiveWatchesSparesThoseThatHaveToldNothing() throws Exception {
    Watch active = new Watch(connect(proxy, HttpVersion.HTTP_2));
    Watch silent = new Watch(connect(proxy, HttpVersion.HTTP_2));
    active.server().response().write("one\n").await(20, SECONDS);
    assertThat(active.next()).isEqualTo("one\n");

    assertThat(proxy.cutActiveWatches().await(20, SECONDS)).isEqualTo(1);

    assertThat(active.end()).isEqualTo("broken");
    silent.server().response().write("two\n").await(20, SECONDS);
    assertThat(silent.next()).isEqualTo("two\n");
  }

  @Test
  void cuttingAllEndsEveryConnectionAndNewOnesWork() throws Exception {
    Watch watch = new Watch(connect(proxy, HttpVersion.HTTP_2));
    assertThat(send(client, HttpMethod.GET, STATUS, "").await(20, SECONDS).statusCode())
        .isEqualTo(200);

    assertThat(proxy.cutAll().await(20, SECONDS)).isEqualTo(2);

    assertThat(watch.end()).isEqualTo("broken");
    assertThat(
            send(connect(proxy, HttpVersion.HTTP_2), HttpMethod.GET, STATUS, "")
                .await(20, SECONDS)
                .statusCode())
        .isEqualTo(200);
  }

  @Test
  void refusesConnectionsUntilItAcceptsThemAgainOnTheSamePort() throws Exception {
    proxy.refuse().await(20, SECONDS);

    assertThatThrownBy(
            () ->
                send(connect(proxy, HttpVersion.HTTP_2), HttpMethod.GET, STATUS, "")
                    .await(20, SECONDS))
        .hasMessageContaining("refused");

    proxy.accept().await(20, SECONDS);
    assertThat(send(client, HttpMethod.GET, STATUS, "").await(20, SECONDS).statusCode())
        .isEqualTo(200);
  }

  @Test
  void aPortThatSomebodyTookMeanwhileIsAFailureUntilItIsFree() throws Exception {
    URI address = URI.create(Config.fromKubeconfig(proxy.kubeconfig().toFile()).getMasterUrl());
    proxy.refuse().await(20, SECONDS);

    try (ServerSocket taken =
        new ServerSocket(address.getPort(), 1, InetAddress.getByName(address.getHost()))) {
      assertThat(taken.isBound()).isTrue();
      assertThatThrownBy(() -> proxy.accept().await(20, SECONDS)).hasMessageContaining("in use");
    }

    proxy.accept().await(20, SECONDS);
    assertThat(send(client, HttpMethod.GET, STATUS, "").await(20, SECONDS).statusCode())
        .isEqualTo(200);
  }

  @Test
  void whatIsFrozenFlowsWhenThawed() throws Exception {
    Watch watch = new Watch(client);
    proxy.freeze().await(20, SECONDS);

    watch.server().response().write("late\n").await(20, SECONDS);
    Future<HttpClientResponse> late = send(client, HttpMethod.GET, STATUS, "");
    assertThat(proxy.traffic().count("get", "*")).isZero();
    proxy.heal().await(20, SECONDS);

    assertThat(watch.next()).isEqualTo("late\n");
    assertThat(late.await(20, SECONDS).statusCode()).isEqualTo(200);
  }

  @Test
  void halfOpenConnectionsStaySilentWhileNewOnesWork() throws Exception {
    Watch watch = new Watch(client);

    assertThat(proxy.halfOpen().await(20, SECONDS)).isEqualTo(1);
    Future<HttpClientResponse> unheard = send(client, HttpMethod.GET, STATUS, "");

    assertThat(
            send(connect(proxy, HttpVersion.HTTP_2), HttpMethod.GET, STATUS, "")
                .await(20, SECONDS)
                .statusCode())
        .isEqualTo(200);
    assertThat(unheard.isComplete()).isFalse();
    assertThat(watch.events).isEmpty();
    assertThat(proxy.traffic().count("get", "*")).isEqualTo(1);
  }

  @Test
  void withoutATokenTheProxyAuthenticatesByCertificate() throws Exception {
    Backend strict = Backend.start(vertx, ClientAuth.REQUIRED).await(20, SECONDS);
    FaultProxy withCertificate = startProxy(strict.certificateKubeconfig(dir));

    HttpClientResponse answer =
        send(connect(withCertificate, HttpVersion.HTTP_2), HttpMethod.GET, STATUS, "")
            .await(20, SECONDS);

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(strict.authorizations).containsExactly("");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "Bearer " + Backend.TOKEN, "Bearer ", "Basic eDp5"})
  void whoDoesNotSendTheProxysTokenIsNotLetIn(String authorization) throws Exception {
    RequestOptions options = new RequestOptions().setURI(STATUS);
    if (!authorization.isEmpty()) {
      options.putHeader("Authorization", authorization);
    }

    HttpClientResponse answer =
        client.request(options).compose(HttpClientRequest::send).await(20, SECONDS);

    assertThat(answer.statusCode()).isEqualTo(401);
    assertThat(backend.received).isEmpty();
    assertThat(proxy.traffic().count("*", "*")).isZero();
  }

  @Test
  void aKubeconfigItCannotUseIsRefused() throws Exception {
    Path plain =
        Files.writeString(dir.resolve("plain"), kubeconfig("http://127.0.0.1:1", "token: x"));
    Path anonymous =
        Files.writeString(dir.resolve("anonymous"), kubeconfig("https://127.0.0.1:1", ""));

    assertThatThrownBy(() -> startProxy(plain)).hasMessageContaining("must be an https URL");
    assertThatThrownBy(() -> startProxy(anonymous))
        .hasMessageContaining("must have a token or a client certificate");
  }

  private static String kubeconfig(String server, String user) {
    return """
        clusters: [{name: c, cluster: {server: "%s"}}]
        users: [{name: u, user: {%s}}]
        contexts: [{name: x, context: {cluster: c, user: u}}]
        current-context: x
        """
        .formatted(server, user);
  }

  private FaultProxy startProxy(Path kubeconfig) throws Exception {
    // key generation and the loading of many classes, beside other builds
    return FaultProxy.start(vertx, kubeconfig, dir, new Random(1)).await(60, SECONDS);
  }

  /** A client with one connection. */
  private HttpClient connect(FaultProxy to, HttpVersion version) {
    Config config = Config.fromKubeconfig(to.kubeconfig().toFile());
    byte[] ca = Base64.getDecoder().decode(config.getCaCertData());
    URI server = URI.create(config.getMasterUrl());
    HttpClient connected =
        vertx.createHttpClient(
            new HttpClientOptions()
                .setSsl(true)
                .setUseAlpn(true)
                .setAlpnVersions(List.of(version))
                .setProtocolVersion(version)
                .setDefaultHost(server.getHost())
                .setDefaultPort(server.getPort())
                .setTrustOptions(new PemTrustOptions().addCertValue(Buffer.buffer(ca))));
    tokens.put(connected, config.getAutoOAuthToken());
    return connected;
  }

  private Future<HttpClientResponse> send(
      HttpClient client, HttpMethod method, String uri, String body) {
    return client
        .request(request(client, uri).setMethod(method))
        .compose(request -> body.isEmpty() ? request.send() : request.send(body))
        .compose(answer -> answer.body().map(answer));
  }

  private RequestOptions request(HttpClient client, String uri) {
    return new RequestOptions()
        .setURI(uri)
        .putHeader("Authorization", "Bearer " + tokens.get(client));
  }

  /** A watch on both ends. */
  private final class Watch {
    private final BlockingQueue<String> events = new LinkedBlockingQueue<>();
    private final HttpClientResponse answer;
    private final HttpServerRequest server;

    Watch(HttpClient client) throws Exception {
      answer =
          client
              .request(FaultProxyTest.this.request(client, WATCH))
              .compose(request -> request.send().onSuccess(this::listen))
              .await(20, SECONDS);
      server = Objects.requireNonNull(backend.watches.poll(20, SECONDS));
    }

    private void listen(HttpClientResponse answer) {
      answer
          .handler(this::event)
          .endHandler(end -> events.add("ended"))
          .exceptionHandler(cause -> events.add("broken"));
    }

    /** The end of an HTTP/2 stream may come as a frame without data. */
    private void event(Buffer bytes) {
      if (bytes.length() > 0) {
        events.add(bytes.toString());
      }
    }

    HttpServerRequest server() {
      return server;
    }

    String next() throws InterruptedException {
      return Objects.requireNonNull(events.poll(20, SECONDS));
    }

    String end() throws InterruptedException {
      return next();
    }
  }
}
