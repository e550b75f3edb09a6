package dev.vertlet.page;

import static dev.vertlet.testsupport.Waits.eventually;
import static dev.vertlet.testsupport.Waits.get;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.vertlet.apiserver.ApiServerOptions;
import dev.vertlet.apiserver.EmbeddedApiServer;
import dev.vertlet.auth.KubeletAccess;
import dev.vertlet.bus.Addresses;
import dev.vertlet.bus.Bus;
import dev.vertlet.bus.LeaseAcquired;
import dev.vertlet.bus.LeaseLost;
import dev.vertlet.bus.NodeConfigStatusChanged;
import dev.vertlet.bus.NodePodCounts;
import dev.vertlet.bus.NodeRegistered;
import dev.vertlet.bus.NodeStatusChanged;
import dev.vertlet.bus.PodStats;
import dev.vertlet.bus.PodTimeline;
import dev.vertlet.config.ServerConfig;
import dev.vertlet.kube.access.ApiAccess;
import dev.vertlet.kube.client.KubeClient;
import dev.vertlet.kube.client.KubeClientOptions;
import dev.vertlet.loop.Env;
import dev.vertlet.metrics.Metrics;
import dev.vertlet.model.PodRef;
import dev.vertlet.server.HealthServer;
import dev.vertlet.server.Liveness;
import dev.vertlet.server.LoggedLines;
import dev.vertlet.server.ReadPolicy;
import dev.vertlet.server.Readiness;
import dev.vertlet.server.TokenReadPolicy;
import dev.vertlet.testsupport.TestHttp;
import dev.vertlet.testsupport.TestHttp.Answer;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.json.JsonObject;
import io.vertx.junit5.VertxExtension;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The page as a client of the server of health and metrics sees it. */
@ExtendWith(VertxExtension.class)
class PageVerticleTest {
  private static final String MARKUP = "<img src=x onerror=alert(1)>";

  private final MeterRegistry metrics = new Metrics("1", "", "v1").registry();
  private Vertx vertx;
  private TestHttp http;
  private Bus bus;
  private Context loop;
  private int port;

  @BeforeEach
  void prepare(Vertx vertx) {
    this.vertx = vertx;
    this.http =
        new TestHttp(
            vertx.createHttpClient(new HttpClientOptions(), new PoolOptions().setHttp1MaxSize(50)));
    this.bus = Bus.install(vertx);
    this.loop = vertx.getOrCreateContext();
  }

  private void serve(ReadPolicy door) {
    PageVerticle page =
        new PageVerticle(
            List.of("a", "b"), new PageVerticle.About("me", "1.0", "v1.36.0"), bus, door, env());
    HealthServer server =
        new HealthServer(
            ServerConfig.of(new JsonObject().put("address", "127.0.0.1").put("port", 0)),
            new Readiness(Set.of("a", "b"), false, "me"),
            new Liveness(Duration.ofMinutes(5)),
            bus,
            metrics,
            door,
            page);
    get(on(() -> page.deploy(loop)));
    get(on(() -> server.deploy(loop)));
    port = get(server.port());
  }

  private <T> Future<T> on(Callable<? extends Future<? extends T>> task) {
    Promise<T> promise = Promise.promise();
    loop.runOnContext(
        v -> {
          try {
            task.call().<T>map(done -> done).onComplete(promise);
          } catch (Exception e) {
            promise.fail(e);
          }
        });
    return promise.future();
  }

  private Answer call(String path) {
    return http.get(port, path);
  }

  private JsonObject json(String path) {
    return new JsonObject(call(path).body());
  }

  /** A stream of events that is read. */
  private final class Events {
    private final List<JsonObject> messages = new CopyOnWriteArrayList<>();
    private final HttpClientResponse response;
    private String rest = "";
    private boolean ended;

    Events(String path) {
      response =
          get(
              http.client()
                  .request(HttpMethod.GET, port, "127.0.0.1", path)
                  .compose(HttpClientRequest::send)
                  .map(
                      answer ->
                          answer
                              .handler(part -> took(part.toString()))
                              .exceptionHandler(e -> ended = true)
                              .endHandler(v -> ended = true)));
    }

    private void took(String part) {
      rest += part;
      for (int end = rest.indexOf("\n\n"); end >= 0; end = rest.indexOf("\n\n")) {
        assertThat(rest).startsWith("data: ");
        messages.add(new JsonObject(rest.substring(6, end)));
        rest = rest.substring(end + 2);
      }
    }

    void close() {
      response.request().reset();
    }
  }

  private void wellKnown() {
    bus.publish(Addresses.NODE_REGISTERED, new NodeRegistered("a", "uid"));
    bus.publish(Addresses.LEASE_ACQUIRED, new LeaseAcquired("a", 0));
    bus.publish(Addresses.NODE_STATUS_CHANGED, new NodeStatusChanged("a", true, ""));
    bus.publish(Addresses.LEASE_LOST, new LeaseLost("b", MARKUP));
    bus.publish(
        Addresses.NODE_CONFIG_STATUS_CHANGED,
        new NodeConfigStatusChanged("b", "ns/c, version 1", "", "", MARKUP));
    bus.publish(
        Addresses.POD_STATS,
        new PodStats(
            0,
            List.of(new NodePodCounts("a", 1, 2, 0, 0, 0, 2, 0)),
            List.of(
                new PodTimeline(
                    new PodRef("default", "web", "uid"),
                    "a",
                    false,
                    System.nanoTime() - 3_000_000_000L,
                    List.of(new PodTimeline.Mark(PodTimeline.Step.WRITTEN, 3_000_000_000L)))),
            List.of(),
            1,
            0,
            1,
            0,
            0));
  }

  private Env env() {
    return new Env(Clock.systemUTC(), System::nanoTime, new SplittableRandom(1), metrics);
  }

  @Test
  void itsFilesAreTheJarsAndNothingElseMayBeLoaded() {
    serve(ReadPolicy.OPEN);

    Answer page = call("/");

    assertThat(page.status()).isEqualTo(200);
    assertThat(page.type()).isEqualTo("text/html; charset=utf-8");
    assertThat(page.response().getHeader("Content-Security-Policy"))
        .contains("default-src 'none'", "script-src 'self'", "frame-ancestors 'none'")
        .doesNotContain("unsafe");
    assertThat(page.response().getHeader("X-Content-Type-Options")).isEqualTo("nosniff");
    assertThat(page.body())
        .doesNotContain("://", "<script>", " style=", "{{")
        .doesNotContainPattern(" on[a-z]+=");
    assertThat(call("/page/page.js").body())
        .doesNotContain("innerHTML", "outerHTML", "insertAdjacent", "eval(", "localStorage");
    assertThat(call("/page/page.css").body()).doesNotContain("@import", "url(");
    assertThat(http.call(port, HttpMethod.HEAD, "/").response().getHeader("Content-Length"))
        .isEqualTo("" + page.body().getBytes(UTF_8).length);
    assertThat(call("/page/nothing").status()).isEqualTo(404);
    assertThat(call("/page/../../etc/passwd").status()).isEqualTo(404);
    assertThat(call("/nothing").body()).endsWith("/metrics, /\n");
    assertThat(http.call(port, HttpMethod.POST, "/page/data").status()).isEqualTo(405);
  }

  @Test
  void theDocumentHoldsWhatIsKnown() {
    serve(ReadPolicy.OPEN);
    wellKnown();

    eventually(
        () ->
            assertThat(json("/page/data").getJsonObject("pods").getInteger("total")).isEqualTo(3));
    JsonObject data = json("/page/data?which=problems");

    assertThat(data.getJsonObject("agent").getString("identity")).isEqualTo("me");
    assertThat(data.getJsonObject("nodes").getInteger("ready")).isEqualTo(1);
    assertThat(data.getJsonObject("leases").getInteger("held")).isEqualTo(1);
    assertThat(data.getJsonObject("latency").getJsonObject("startEver").getDouble("p50"))
        .isBetween(2_990.0, 3_100.0);
    JsonObject row = data.getJsonObject("table").getJsonArray("rows").getJsonObject(0);
    assertThat(row.getString("name")).isEqualTo("b");
    // text of others is text, which the script keeps
    assertThat(row.getJsonObject("config").getString("error")).isEqualTo(MARKUP);
    assertThat(data.getJsonObject("slow").getJsonArray("starts").getJsonObject(0).getString("pod"))
        .isEqualTo("default/web");
    assertThat(json("/page/node?name=b").getJsonArray("history")).hasSize(1);
    assertThat(call("/page/node?name=c").status()).isEqualTo(404);
    assertThat(call("/page/node").status()).isEqualTo(404);
  }

  @Test
  void eventsBeginWithEverythingAndGoOnWithWhatChanges() {
    serve(ReadPolicy.OPEN);
    Events events = new Events("/page/events?sort=pods&order=desc");
    await().until(() -> !events.messages.isEmpty());
    assertThat(events.response.getHeader("Content-Type"))
        .isEqualTo("text/event-stream; charset=utf-8");
    assertThat(events.messages.get(0).fieldNames())
        .containsExactlyInAnyOrder(
            "now", "agent", "nodes", "pods", "rates", "latency", "leases", "queues", "process",
            "slow", "table");

    wellKnown();

    eventually(
        () ->
            assertThat(events.messages.stream().skip(1))
                .anySatisfy(
                    message ->
                        assertThat(message.getJsonObject("pods").getInteger("total"))
                            .isEqualTo(3)));
    assertThat(events.messages.stream().skip(1))
        .allSatisfy(message -> assertThat(message.fieldNames()).doesNotContain("agent"));
    events.close();
  }

  @Test
  void nobodyIsTooMany() {
    serve(ReadPolicy.OPEN);
    List<Events> all = new ArrayList<>();
    for (int i = 0; i < PageVerticle.MOST_VIEWERS; i++) {
      all.add(new Events("/page/events?page=" + i));
    }

    Answer refused = call("/page/events");

    assertThat(refused.status()).isEqualTo(503);
    assertThat(refused.response().getHeader("Retry-After")).isEqualTo("10");
    all.get(0).close();
    eventually(
        () -> {
          Events again = new Events("/page/events");
          assertThat(again.response.statusCode()).isEqualTo(200);
        });
    assertThat(call("/page/data").status()).isEqualTo(200);
  }

  @Test
  void withTokensNothingIsShownToWhoHasNone() {
    EmbeddedApiServer api =
        get(EmbeddedApiServer.start(vertx, ApiServerOptions.defaults().withPlainHttp()));
    TokenReadPolicy door = new TokenReadPolicy("a");
    serve(door);
    assertThat(call("/page/data").status()).isEqualTo(503);
    KubeClient kube =
        get(
            on(
                () ->
                    KubeClient.create(
                        vertx,
                        KubeClientOptions.defaults(),
                        ApiAccess.of(api.url(), api.token()),
                        metrics)));
    get(
        on(
            () -> {
              door.ask(KubeletAccess.ofTokens(vertx, kube, env()));
              return Future.succeededFuture();
            }));

    for (String path : List.of("/page/data", "/page/events", "/page/node?name=a", "/metrics")) {
      assertThat(call(path).status()).as(path).isEqualTo(401);
      assertThat(http.get(port, path, TestHttp.bearer("bad")).status()).as(path).isEqualTo(401);
    }
    assertThat(call("/page/data").response().getHeader("WWW-Authenticate")).isEqualTo("Bearer");
    assertThat(call("/").status()).isEqualTo(200);
    assertThat(call("/page/page.js").status()).isEqualTo(200);
    assertThat(call("/healthz").status()).isEqualTo(200);
    assertThat(call("/readyz").status()).isEqualTo(503);
    Answer shown = http.get(port, "/page/data", TestHttp.bearer(api.token()));
    assertThat(shown.status()).isEqualTo(200);
    assertThat(shown.body()).doesNotContain(api.token());
    Answer scraped = http.get(port, "/metrics", TestHttp.bearer(api.token()));
    assertThat(scraped.status()).isEqualTo(200);
    assertThat(scraped.body()).contains("apiserver_delegated_authz_request_total");
  }

  @Test
  void aRequestThatCannotBeReadIsRefusedAndNotLogged() {
    serve(ReadPolicy.OPEN);

    try (LoggedLines log = LoggedLines.all()) {
      for (String path : List.of("/page/data", "/page/node", "/page/events", "/")) {
        assertThat(call(path + "?q=%zz").status()).as(path).isEqualTo(400);
      }
      assertThat(call("/page/%zz").status()).isIn(400, 404);
      assertThat(call("/page/data%").status()).isIn(400, 404);
      assertThat(log.warnings()).isEmpty();
    }
    assertThat(call("/page/data").status()).isEqualTo(200);
  }
}
