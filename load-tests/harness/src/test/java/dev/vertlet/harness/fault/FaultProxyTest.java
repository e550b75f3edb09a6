package dev.vertlet.harness.fault;

import static dev.vertlet.testsupport.Waits.get;
import static dev.vertlet.testsupport.Waits.take;
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
    backend = get(Backend.start(vertx, ClientAuth.NONE));
    proxy = startProxy(backend.tokenKubeconfig(dir));
    client = connect(proxy);
  }

  @ParameterizedTest
  @EnumSource(names = {"HTTP_2", "HTTP_1_1"})
  void passesRequestsAndAnswersUnchanged(HttpVersion version) throws Exception {
    HttpClient ofVersion = connect(proxy, version);

    HttpClientResponse answer =
        get(send(ofVersion, HttpMethod.PATCH, STATUS + "?fieldManager=x", "{}"));

    assertThat(answer.version()).isEqualTo(version);
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.getHeader("X-Kind")).isEqualTo("echo");
    assertThat(get(answer.body())).hasToString("PATCH " + STATUS + "?fieldManager=x {}");
    assertThat(backend.authorizations).containsExactly("Bearer " + Backend.TOKEN);
    assertThat(proxy.traffic().count("patch", "pods/status")).isEqualTo(1);
    await().until(() -> proxy.traffic().total("*", "*").requestBytes() == 2);
    assertThat(proxy.traffic().bytesToServer()).isPositive();
  }

  @ParameterizedTest
  @EnumSource(names = {"HTTP_2", "HTTP_1_1"})
  void watchEventsPassOneByOneAndTheHeadBeforeAnyOfThem(HttpVersion version) throws Exception {
    Watch watch = new Watch(connect(proxy, version));

    get(watch.server().response().write("one\n"));
    assertThat(watch.next()).isEqualTo("one\n");
    get(watch.server().response().write("two\n"));
    assertThat(watch.next()).isEqualTo("two\n");
  }

  @ParameterizedTest
  @EnumSource(names = {"HTTP_2", "HTTP_1_1"})
  void aWatchThatTheServerBreaksOffDoesNotEndAsIfItWereWhole(HttpVersion version) throws Exception {
    Watch watch = new Watch(connect(proxy, version));

    get(watch.server().connection().close());

    assertThat(watch.end()).isEqualTo("broken");
  }

  @Test
  void aWatchThatTheServerEndsEnds() throws Exception {
    Watch watch = new Watch(client);

    get(watch.server().response().end());

    assertThat(watch.end()).isEqualTo("ended");
  }

  @Test
  void aWatchThatTheClientCancelsIsCancelledAtTheServer() throws Exception {
    Watch watch = new Watch(client);

    get(watch.answer.request().reset());

    assertThat(take(backend.cancelled)).isEqualTo(WATCH);
  }

  @Test
  void aRequestThatTheClientCancelsTakesNoOtherOfItsConnectionAlong() throws Exception {
    HttpClientResponse before = passes(client);
    HttpClientRequest unanswered = get(client.request(request(client, Backend.UNANSWERED)));
    Future<HttpClientResponse> never = unanswered.send();
    await().until(() -> backend.received.size() == 2);

    get(unanswered.reset());
    assertThat(take(backend.cancelled)).isEqualTo(Backend.UNANSWERED);

    HttpClientResponse after = passes(client);
    assertThat(after.request().connection()).isSameAs(before.request().connection());
    assertThat(never.failed()).isTrue();
  }

  @Test
  void anAnswerInTheServersPlaceIsAStatusAndReachesNobody() throws Exception {
    InjectedFault fault =
        proxy.inject(
            Fault.tooManyRequests(Duration.ofSeconds(3)).on("patch", "pods/status").times(1));

    HttpClientResponse refused = get(send(client, HttpMethod.PATCH, STATUS, "{}"));
    HttpClientResponse passed = get(send(client, HttpMethod.PATCH, STATUS, "{}"));

    assertThat(refused.statusCode()).isEqualTo(429);
    assertThat(refused.getHeader("Retry-After")).isEqualTo("3");
    assertThat(new JsonObject(get(refused.body())).getString("reason"))
        .isEqualTo("TooManyRequests");
    assertThat(passed.statusCode()).isEqualTo(200);
    assertThat(backend.received).hasSize(1);
    assertThat(fault.hits()).isEqualTo(1);
    assertThat(proxy.traffic().total("patch", "pods/status").failures()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aLostAnswerIsOfAnExecutedRequestAndACutOneIsNotExecuted(boolean executed) throws Exception {
    proxy.inject((executed ? Fault.loseAnswer() : Fault.cut()).times(1));

    assertThatThrownBy(() -> get(send(client, HttpMethod.PATCH, STATUS, "{}")))
        .isInstanceOf(Exception.class);

    assertThat(backend.received).hasSize(executed ? 1 : 0);
    passes(client);
  }

  @Test
  void aDelayedRequestIsAnswered() throws Exception {
    proxy.inject(Fault.delay(Duration.ofMillis(5)).times(1));

    assertThat(get(send(client, HttpMethod.POST, "/api/v1/nodes", "{}")).statusCode())
        .isEqualTo(200);
  }

  @Test
  void aHangingRequestIsNeverAnsweredWhileOthersAre() throws Exception {
    proxy.inject(Fault.hang().on("patch", "*"));

    Future<HttpClientResponse> hanging = send(client, HttpMethod.PATCH, STATUS, "{}");
    await().until(() -> proxy.traffic().count("patch", "*") == 1);

    passes(client);
    assertThat(hanging.isComplete()).isFalse();
  }

  @Test
  void cuttingWatchesSparesConnectionsWithoutOne() throws Exception {
    Watch watch = new Watch(connect(proxy));
    HttpClientResponse before = passes(client);

    assertThat(get(proxy.cutWatches())).isEqualTo(1);

    assertThat(watch.end()).isEqualTo("broken");
    HttpClientResponse after = passes(client);
    assertThat(after.request().connection()).isSameAs(before.request().connection());
    assertThat(get(proxy.cutWatches())).isZero();
  }

  @Test
  void cuttingActiveWatchesSparesThoseThatHaveToldNothing() throws Exception {
    Watch active = new Watch(connect(proxy));
    Watch silent = new Watch(connect(proxy));
    get(active.server().response().write("one\n"));
    assertThat(active.next()).isEqualTo("one\n");

    assertThat(get(proxy.cutActiveWatches())).isEqualTo(1);

    assertThat(active.end()).isEqualTo("broken");
    get(silent.server().response().write("two\n"));
    assertThat(silent.next()).isEqualTo("two\n");
  }

  @Test
  void cuttingAllEndsEveryConnectionAndNewOnesWork() throws Exception {
    Watch watch = new Watch(connect(proxy));
    passes(client);

    assertThat(get(proxy.cutAll())).isEqualTo(2);

    assertThat(watch.end()).isEqualTo("broken");
    passes(connect(proxy));
  }

  @Test
  void refusesConnectionsUntilItAcceptsThemAgainOnTheSamePort() throws Exception {
    get(proxy.refuse());

    assertThatThrownBy(() -> get(send(connect(proxy), HttpMethod.GET, STATUS, "")))
        .hasMessageContaining("refused");

    get(proxy.accept());
    passes(client);
  }

  @Test
  void aPortThatSomebodyTookMeanwhileIsAFailureUntilItIsFree() throws Exception {
    URI address = URI.create(Config.fromKubeconfig(proxy.kubeconfig().toFile()).getMasterUrl());
    get(proxy.refuse());

    try (ServerSocket taken =
        new ServerSocket(address.getPort(), 1, InetAddress.getByName(address.getHost()))) {
      assertThat(taken.isBound()).isTrue();
      assertThatThrownBy(() -> get(proxy.accept())).hasMessageContaining("in use");
    }

    get(proxy.accept());
    passes(client);
  }

  @Test
  void whatIsFrozenFlowsWhenThawed() throws Exception {
    Watch watch = new Watch(client);
    get(proxy.freeze());

    get(watch.server().response().write("late\n"));
    Future<HttpClientResponse> late = send(client, HttpMethod.GET, STATUS, "");
    assertThat(proxy.traffic().count("get", "*")).isZero();
    get(proxy.heal());

    assertThat(watch.next()).isEqualTo("late\n");
    assertThat(get(late).statusCode()).isEqualTo(200);
  }

  @Test
  void halfOpenConnectionsStaySilentWhileNewOnesWork() throws Exception {
    Watch watch = new Watch(client);

    assertThat(get(proxy.halfOpen())).isEqualTo(1);
    Future<HttpClientResponse> unheard = send(client, HttpMethod.GET, STATUS, "");

    passes(connect(proxy));
    assertThat(unheard.isComplete()).isFalse();
    assertThat(watch.events).isEmpty();
    assertThat(proxy.traffic().count("get", "*")).isEqualTo(1);
  }

  @Test
  void withoutATokenTheProxyAuthenticatesByCertificate() throws Exception {
    Backend strict = get(Backend.start(vertx, ClientAuth.REQUIRED));
    FaultProxy withCertificate = startProxy(strict.certificateKubeconfig(dir));

    passes(connect(withCertificate));

    assertThat(strict.authorizations).containsExactly("");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "Bearer " + Backend.TOKEN, "Bearer ", "Basic eDp5"})
  void whoDoesNotSendTheProxysTokenIsNotLetIn(String authorization) throws Exception {
    RequestOptions options = new RequestOptions().setURI(STATUS);
    if (!authorization.isEmpty()) {
      options.putHeader("Authorization", authorization);
    }

    HttpClientResponse answer = get(client.request(options).compose(HttpClientRequest::send));

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
    return get(FaultProxy.start(vertx, kubeconfig, dir, new Random(1)));
  }

  private HttpClient connect(FaultProxy to) {
    return connect(to, HttpVersion.HTTP_2);
  }

  private HttpClientResponse passes(HttpClient through) {
    HttpClientResponse answer = get(send(through, HttpMethod.GET, STATUS, ""));
    assertThat(answer.statusCode()).isEqualTo(200);
    return answer;
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
        .compose(
            request ->
                (body.isEmpty() ? request.send() : request.send(body))
                    .compose(answer -> answer.body().map(answer)));
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
          get(
              client
                  .request(FaultProxyTest.this.request(client, WATCH))
                  .compose(request -> request.send().onSuccess(this::listen)));
      server = Objects.requireNonNull(take(backend.watches));
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
      return Objects.requireNonNull(take(events));
    }

    String end() throws InterruptedException {
      return next();
    }
  }
}
