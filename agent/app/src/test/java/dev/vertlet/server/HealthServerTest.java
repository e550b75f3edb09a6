package dev.vertlet.server;

import static dev.vertlet.testsupport.Waits.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vertlet.bus.Addresses;
import dev.vertlet.bus.Bus;
import dev.vertlet.bus.LeaseAcquired;
import dev.vertlet.bus.LeaseLost;
import dev.vertlet.bus.NodeRegistered;
import dev.vertlet.bus.NodesAssigned;
import dev.vertlet.bus.PodsSynced;
import dev.vertlet.config.ServerConfig;
import dev.vertlet.metrics.Metrics;
import dev.vertlet.testsupport.TestHttp;
import dev.vertlet.testsupport.TestHttp.Answer;
import dev.vertlet.testsupport.Waits;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.internal.VertxInternal;
import io.vertx.core.json.JsonObject;
import io.vertx.junit5.VertxExtension;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(VertxExtension.class)
class HealthServerTest {
  private static final ServerConfig ANY_PORT = onPort(0);

  private final AtomicLong nanos = new AtomicLong();
  private final Liveness liveness =
      new Liveness(Duration.ofMillis(200), Duration.ofMinutes(5), nanos::get);
  private Vertx vertx;
  private TestHttp http;
  private Bus bus;
  private int port;
  private ReadPolicy door = ReadPolicy.OPEN;
  private @Nullable Handler<HttpServerRequest> page;

  @BeforeEach
  void deploy(Vertx vertx) throws Exception {
    this.vertx = vertx;
    this.http = TestHttp.plain(vertx);
    this.bus = Bus.install(vertx);
    HealthServer server = server(ANY_PORT);
    Waits.get(vertx.deployVerticle(server));
    this.port = Waits.get(server.port());
  }

  private HealthServer server(ServerConfig config) {
    return new HealthServer(
        config,
        new Readiness(Set.of("a", "b"), false, "me"),
        liveness,
        bus,
        new Metrics("1", "", "v1").registry(),
        door,
        page);
  }

  private Answer get(String path) {
    return http.get(port, path);
  }

  @Test
  void aQueryThatCannotBeReadIsRefusedAndNotLogged() {
    try (LoggedLines log = LoggedLines.all()) {
      for (String path : new String[] {"/readyz", "/healthz", "/healthz/syncloop", "/metrics"}) {
        Answer answer = get(path + "?%zz");
        assertThat(answer.status()).as(path).isEqualTo(400);
        assertThat(answer.body()).startsWith("the query cannot be read: ").endsWith("\n");
      }
      assertThat(get("/readyz?verbose=%").status()).isEqualTo(400);
      assertThat(get("/%zz").status()).isEqualTo(404);
      assertThat(log.warnings()).isEmpty();
    }
  }

  @Test
  void aRequestHasOneHost() throws Exception {
    for (String hosts : new String[] {"", "Host: a\r\nHost: b\r\n"}) {
      assertThat(BrokenClients.answer(port, "GET /healthz HTTP/1.1\r\n" + hosts + "\r\n"))
          .startsWith("HTTP/1.1 400 Bad Request")
          .endsWith("a request must have one Host header\n");
    }
    assertThat(BrokenClients.answer(port, "GET /healthz HTTP/1.1\r\nHost:\r\n\r\n"))
        .startsWith("HTTP/1.1 200 OK");
    assertThat(BrokenClients.answer(port, "GET /healthz HTTP/1.0\r\n\r\n"))
        .startsWith("HTTP/1.0 200 OK");
  }

  @Test
  void connectionsThatBreakOffAreNotLogged() throws Exception {
    try (LoggedLines log = LoggedLines.all()) {
      BrokenClients.connect(port, 5);

      assertThat(get("/healthz").status()).isEqualTo(200);
      assertThat(log.warnings()).isEmpty();
    }
  }

  private void awaitReadiness(String... checks) {
    eventually(() -> assertThat(get("/readyz").body()).contains(checks));
  }

  @Test
  void readyOnceEveryNodeIsRegisteredSyncedAndLeased() {
    assertThat(get("/readyz").status()).isEqualTo(503);

    bus.publish(Addresses.NODE_REGISTERED, new NodeRegistered("a", "1"));
    bus.publish(Addresses.NODE_REGISTERED, new NodeRegistered("b", "2"));
    bus.publish(Addresses.LEASE_ACQUIRED, new LeaseAcquired("a", 0));
    bus.publish(Addresses.LEASE_ACQUIRED, new LeaseAcquired("b", 0));
    bus.publish(Addresses.PODS_SYNCED, new PodsSynced(Set.of("a"), 0));
    eventually(
        () ->
            assertThat(get("/readyz").body())
                .isEqualTo(
                    """
                    [+]nodes-registered ok
                    [-]pods-synced waiting: 1 of 2 nodes: b
                    [+]leases-held ok
                    readyz check failed
                    """));

    bus.publish(Addresses.PODS_SYNCED, new PodsSynced(Set.of("b"), 0));
    eventually(() -> assertThat(get("/readyz").status()).isEqualTo(200));
    assertThat(get("/readyz").body()).isEqualTo("ok\n");
    assertThat(get("/readyz?verbose").body()).endsWith("[+]leases-held ok\nok\n");

    bus.publish(Addresses.LEASE_LOST, new LeaseLost("b", "held by c"));
    awaitReadiness("[-]leases-held waiting: 1 of 2 nodes: b (held by c)");

    bus.publish(Addresses.LEASE_ACQUIRED, new LeaseAcquired("b", 1));
    awaitReadiness("[-]pods-synced waiting: 1 of 2 nodes: b", "[+]leases-held ok");
    bus.publish(Addresses.PODS_SYNCED, new PodsSynced(Set.of("b"), 1));
    eventually(() -> assertThat(get("/readyz").status()).isEqualTo(200));
  }

  @Test
  void healthNamesNodesOnlyToThoseWhoMayRead() throws Exception {
    door = new ReaderAccess(null, request -> Future.failedFuture(new IllegalStateException("no")));
    HealthServer closed = server(ANY_PORT);
    Waits.get(vertx.deployVerticle(closed));
    port = Waits.get(closed.port());

    String stranger = BrokenClients.answer(port, "GET /readyz HTTP/1.1\r\nHost: 10.0.0.7\r\n\r\n");
    assertThat(stranger)
        .startsWith("HTTP/1.1 503 ")
        .contains("[-]nodes-registered waiting: 2 of 2 nodes\n")
        .doesNotContain("nodes: ");
    assertThat(BrokenClients.answer(port, "GET /metrics HTTP/1.1\r\nHost: 10.0.0.7\r\n\r\n"))
        .startsWith("HTTP/1.1 401 ")
        .containsIgnoringCase("WWW-Authenticate: Bearer");
    assertThat(get("/readyz").body()).contains("[-]nodes-registered waiting: 2 of 2 nodes: a, b");
    assertThat(get("/metrics").status()).isEqualTo(200);
  }

  @Test
  void readyOnceItsShareIsServed() {
    bus.publish(Addresses.NODES_ASSIGNED, new NodesAssigned(Map.of("a", "me", "b", "you")));
    bus.publish(Addresses.NODE_REGISTERED, new NodeRegistered("a", "1"));
    bus.publish(Addresses.LEASE_ACQUIRED, new LeaseAcquired("a", 0));
    awaitReadiness("[-]pods-synced waiting: 1 of 1 nodes: a");
    bus.publish(Addresses.PODS_SYNCED, new PodsSynced(Set.of("a"), 0));
    eventually(() -> assertThat(get("/readyz").status()).isEqualTo(200));

    bus.publish(Addresses.NODES_ASSIGNED, new NodesAssigned(Map.of("a", "me", "b", "me")));
    awaitReadiness("leases-held waiting: 1 of 2 nodes: b");
    bus.publish(Addresses.NODES_ASSIGNED, new NodesAssigned(Map.of("a", "you", "b", "you")));
    eventually(() -> assertThat(get("/readyz").status()).isEqualTo(200));
  }

  @Test
  void aliveWhileEventLoopsTurn() {
    Context loop = ((VertxInternal) vertx).createEventLoopContext();
    liveness.watch("shard-0", loop);

    assertThat(get("/healthz").text()).isEqualTo("200 ok\n");
    assertThat(get("/healthz").type()).isEqualTo("text/plain; charset=utf-8");
    assertThat(get("/livez").status()).isEqualTo(200);
    liveness.forget("shard-0");
    assertThat(get("/healthz").status()).isEqualTo(200);
  }

  @Test
  void notAliveWhileAContextIsStuck() throws Exception {
    CountDownLatch release = new CountDownLatch(1);
    // a worker context: blocking an event loop could be the server's own
    Context stuck = ((VertxInternal) vertx).createWorkerContext();
    stuck.runOnContext(
        ignored -> {
          try {
            Waits.open(release);
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        });
    liveness.watch("shard-1", stuck);

    Answer answer = get("/healthz");
    release.countDown();

    assertThat(answer.status()).isEqualTo(503);
    assertThat(answer.body()).isEqualTo("event loops that do not turn: shard-1\n");
  }

  @Test
  @Tag("C52")
  void c52ALoopThatHasNotTurnedForMinutesShowsOnSyncloopAndNotOnPing() {
    Context loop = ((VertxInternal) vertx).createEventLoopContext();
    liveness.watch("shard-0", loop);
    assertThat(get("/healthz/syncloop").status()).isEqualTo(200);

    nanos.addAndGet(Duration.ofMinutes(6).toNanos());

    Answer answer = get("/healthz/syncloop");
    assertThat(answer.status()).isEqualTo(500);
    assertThat(answer.body()).isEqualTo("sync loop took longer than expected: shard-0\n");
    assertThat(get("/healthz/ping").status()).isEqualTo(200);
    liveness.forget("shard-0");
    assertThat(get("/healthz/syncloop").status()).isEqualTo(200);
  }

  @Test
  @Tag("2.3-metrics")
  void metricsAreInPrometheusFormat() {
    Answer answer = get("/metrics");

    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.type()).isEqualTo("text/plain; version=0.0.4; charset=utf-8");
    assertThat(answer.body()).contains("vertlet_build_info{");
  }

  @Test
  void otherPathsAndMethodsAreRefused() {
    assertThat(get("/").status()).isEqualTo(404);
    assertThat(get("/").body())
        .isEqualTo("not found; there are /healthz, /livez, /readyz, /metrics\n");
    assertThat(http.call(port, HttpMethod.POST, "/healthz").status()).isEqualTo(405);
    assertThat(http.call(port, HttpMethod.HEAD, "/healthz").body()).isEmpty();
  }

  @Test
  void aTakenPortNamesAddressPortAndKeys() throws Exception {
    HealthServer second = server(onPort(port));
    // servers of one Vertx may share a port
    Vertx other = Vertx.vertx();

    assertThatThrownBy(() -> Waits.get(other.deployVerticle(second)))
        .hasMessage(
            "cannot listen on server.address 127.0.0.1, server.port "
                + port
                + ": Address already in use; --set server.port=9300 takes another");
    assertThat(second.port().failed()).isTrue();
    Waits.get(other.close());
  }

  private static ServerConfig onPort(int port) {
    return ServerConfig.of(new JsonObject().put("address", "127.0.0.1").put("port", port));
  }
}
