package dev.vertlet.api;

import dev.vertlet.api.route.HttpFailure;
import dev.vertlet.api.route.NodeServer;
import dev.vertlet.api.route.PodLookup;
import dev.vertlet.api.route.RouteTable;
import dev.vertlet.api.route.ServedNodes;
import dev.vertlet.apiserver.ApiServerOptions;
import dev.vertlet.apiserver.EmbeddedApiServer;
import dev.vertlet.auth.Authentication;
import dev.vertlet.auth.Authorization;
import dev.vertlet.auth.User;
import dev.vertlet.auth.tls.ServingNames;
import dev.vertlet.auth.tls.ServingTls;
import dev.vertlet.bus.Addresses;
import dev.vertlet.bus.Bus;
import dev.vertlet.bus.PodQuery;
import dev.vertlet.bus.PodQueryResult;
import dev.vertlet.bus.Shards;
import dev.vertlet.config.ConfigLoader;
import dev.vertlet.config.VertletConfig;
import dev.vertlet.config.node.ConfiguredNode;
import dev.vertlet.config.process.Environment;
import dev.vertlet.config.process.Host;
import dev.vertlet.kube.access.ApiAccess;
import dev.vertlet.kube.client.KubeClient;
import dev.vertlet.kube.client.KubeClientOptions;
import dev.vertlet.loop.Env;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.nodeconfig.ServedConfigs;
import dev.vertlet.nodes.KubeletEndpoint;
import dev.vertlet.payload.NodeConfig;
import dev.vertlet.pods.PodFeed;
import dev.vertlet.provider.ProviderGuard;
import dev.vertlet.testsupport.TestHttp;
import dev.vertlet.testsupport.TestHttp.Answer;
import dev.vertlet.testsupport.Waits;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.WebSocketClient;
import io.vertx.core.http.WebSocketClientOptions;
import io.vertx.core.internal.VertxInternal;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.SelfSignedCertificate;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** A server over real TLS on loopback, with pods that are made up. */
final class ServerLab {
  static final Host HOST =
      new Host("host-1", "127.0.0.1", "Debian", "6.1", 4, Path.of("/home/me"), false);

  /** What a test's token may do; everything else is 401. */
  static final String GOOD = "good";

  static final String FORBIDDEN = "forbidden";
  static final String BROKEN = "broken";

  /** Made once: a key takes a while. */
  private static final SelfSignedCertificate CERTIFICATE =
      SelfSignedCertificate.create("127.0.0.1");

  final FakeProvider provider = new FakeProvider();
  final List<String> asked = new CopyOnWriteArrayList<>();
  final List<String> overdue = new CopyOnWriteArrayList<>();

  /** Access policies and TLS identities that are not closed. */
  final List<String> opened = new CopyOnWriteArrayList<>();

  /** Comes before everybody who is let in. */
  volatile Supplier<Future<Void>> review = this::soon;

  final EmbeddedApiServer api;
  final KubeletServer server;
  final VertletConfig config;
  private final Vertx vertx;
  private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();

  private final TestHttp http;
  private final TestHttp http2;
  private final TestHttp plain;
  private final WebSocketClient webSockets;

  private final Map<String, Integer> ports = new HashMap<>();

  /** Admits by token, as if an API server had said so. */
  private final class Tokens implements Security.AccessPolicy {
    @Override
    public Future<Void> close() {
      opened.remove("access");
      return Future.succeededFuture();
    }

    @Override
    public Future<User> admit(HttpServerRequest request, String node, List<String> subresources) {
      asked.add(node + " " + subresources);
      String token = String.valueOf(request.getHeader("Authorization")).replace("Bearer ", "");
      return switch (token) {
        case GOOD -> review.get().map(new User("me", "", List.of(), Map.of()));
        case FORBIDDEN -> Future.failedFuture(new HttpFailure(403, "Forbidden (user=me)\n"));
        case BROKEN -> Future.failedFuture(new HttpFailure(500, "Authorization error (user=me)"));
        default -> Future.failedFuture(new HttpFailure(401, "Unauthorized"));
      };
    }
  }

  private final class TestSecurity implements Security {
    @Override
    public Future<AccessPolicy> accessPolicy(
        Authentication authentication, Authorization authorization) {
      opened.add("access");
      return Future.succeededFuture(new Tokens());
    }

    @Override
    public Future<TlsIdentity> tlsIdentity(
        ServingTls tls, List<ServingNames> listeners, List<ServingNames> all) {
      opened.add("identity");
      return Future.succeededFuture(
          new TlsIdentity() {
            @Override
            public HttpServerOptions options(String node) {
              return new HttpServerOptions()
                  .setSsl(true)
                  .setUseAlpn(true)
                  .setEnabledSecureTransportProtocols(tls.tlsMinVersion().protocols())
                  .setKeyCertOptions(CERTIFICATE.keyCertOptions());
            }

            @Override
            public Future<Void> close() {
              opened.remove("identity");
              return Future.succeededFuture();
            }
          });
    }
  }

  private ServerLab(Vertx vertx, VertletConfig config, List<PodView> pods) throws Exception {
    this.vertx = vertx;
    this.config = config;
    this.http = TestHttp.trusting(vertx);
    this.http2 =
        new TestHttp(
            vertx.createHttpClient(
                TestHttp.trustingOptions()
                    .setProtocolVersion(HttpVersion.HTTP_2)
                    .setUseAlpn(true)));
    this.plain = TestHttp.plain(vertx);
    this.webSockets =
        vertx.createWebSocketClient(
            new WebSocketClientOptions().setSsl(true).setTrustAll(true).setVerifyHost(false));
    this.api =
        Waits.get(EmbeddedApiServer.start(vertx, ApiServerOptions.defaults().withPlainHttp()));
    KubeClient kube =
        Waits.get(
            KubeClient.create(
                vertx,
                KubeClientOptions.defaults(),
                ApiAccess.of(api.url(), api.token()),
                new SimpleMeterRegistry()));
    Bus bus = Bus.install(vertx);
    Shards shards = new Shards(2);
    for (int shard = 0; shard < 2; shard++) {
      int index = shard;
      shardContext(vertx)
          .runOnContext(
              v ->
                  bus.answer(
                      Addresses.POD_QUERY.shard(index),
                      question -> known(pods, shards, index, question)));
    }
    Map<String, ServedNodes.ServedNode> homes = new HashMap<>();
    for (var node : config.nodeSpecs()) {
      Context context = shardContext(vertx);
      homes.put(
          node.name(),
          new ServedNodes.ServedNode(
              ProviderGuard.of(provider), action -> context.runOnContext(v -> action.run())));
    }
    RouteTable routes =
        new RouteTable(
            config.kubernetes().listPageSize(),
            new ServedConfigs(homes::containsKey, name -> local(config, name)),
            kube,
            new PodLookup(
                bus, shards, homes.keySet().stream().map(shards::of).distinct().sorted().toList()),
            new ServedNodes(vertx, homes::get),
            () -> List.copyOf(overdue),
            env(new SimpleMeterRegistry()));
    this.server =
        new KubeletServer(
            config.server(),
            config.nodeSpecs(),
            null,
            node -> new NodeServer(config.server(), 0),
            new TestSecurity(),
            routes,
            env(metrics));
    Waits.get(vertx.deployVerticle(server));
    Waits.get(server.endpoints()).forEach((node, endpoint) -> ports.put(node, endpoint.port()));
  }

  private static Env env(MeterRegistry meters) {
    return new Env(Clock.systemUTC(), System::nanoTime, new SplittableRandom(1), meters);
  }

  private static NodeConfig local(VertletConfig config, String name) {
    for (ConfiguredNode node : config.nodes()) {
      if (node.spec().name().equals(name)) {
        return new NodeConfig(node, 0, config, new JsonObject(), new JsonObject(), List.of());
      }
    }
    throw new IllegalArgumentException(name);
  }

  private static PodQueryResult known(
      List<PodView> pods, Shards shards, int shard, PodQuery question) {
    return new PodQueryResult(
        pods.stream()
            .filter(pod -> shards.of(pod.nodeName()) == shard)
            .filter(pod -> question.wants(pod.nodeName(), pod.ref()))
            .map(
                pod ->
                    new PodQueryResult.Known(
                        pod, pod.name().equals("static") ? "uid-of-mirror" : ""))
            .toList());
  }

  private static Context shardContext(Vertx vertx) {
    return ((VertxInternal) vertx).createEventLoopContext();
  }

  static ServerLab start(Vertx vertx, String json, int nodes) throws Exception {
    VertletConfig config = config(json, nodes);
    List<PodView> pods = new ArrayList<>();
    for (var node : config.nodeSpecs()) {
      pods.add(pod(node.name(), "pod-of-" + node.name()));
    }
    pods.add(pod(config.nodeSpecs().get(0).name(), "static"));
    return new ServerLab(vertx, config, pods);
  }

  /**
   * @param settings the section server, and featureGates
   */
  static VertletConfig config(String settings, int nodes) {
    JsonObject server = new JsonObject(settings);
    Object gates = server.remove("featureGates");
    JsonObject json =
        new JsonObject()
            .put("featureGates", gates == null ? new JsonObject() : gates)
            .put(
                "nodes",
                new io.vertx.core.json.JsonArray()
                    .add(new JsonObject().put("name", "n{i}").put("count", nodes)))
            .put(
                "server",
                new JsonObject()
                    .put("kubeletAddress", "127.0.0.1")
                    .put("portRange", 0)
                    .mergeIn(server));
    return new ConfigLoader(new Environment(Map.of(), HOST))
        .parse("test", json.encode(), List.of())
        .config();
  }

  private static PodView pod(String node, String name) {
    return PodFeed.decode(
        Buffer.buffer(
            """
            {"metadata": {"name": "%s", "namespace": "default", "uid": "uid-of-%s",
                          "resourceVersion": "1"},
             "spec": {"nodeName": "%s", "containers": [{"name": "c", "image": "i"}],
                      "initContainers": [{"name": "init", "image": "i"}],
                      "ephemeralContainers": [{"name": "debugger", "image": "i", "tty": true}]}}
            """
                .formatted(name, name, node)));
  }

  /** Like a review by the API server: not at once. */
  private Future<Void> soon() {
    return vertx.timer(1, TimeUnit.MILLISECONDS).mapEmpty();
  }

  /** How all nodes are served at first, with other settings. */
  NodeServer server(String json, int port) {
    return new NodeServer(config(json, 1).server(), port);
  }

  /** Where a node's kubelet is by now. */
  int portNow(String node) {
    return server.endpoints().result().getOrDefault(node, KubeletEndpoint.NONE).port();
  }

  /** As if nothing had been asked. */
  void forget() {
    review = this::soon;
    asked.clear();
    overdue.clear();
    provider.forget();
  }

  int port(String node) {
    return Objects.requireNonNull(ports.get(node), node);
  }

  /** How many requests are being served. */
  double inFlight() {
    return metrics.find("kubelet_http_inflight_requests").gauges().stream()
        .mapToDouble(gauge -> gauge.value())
        .sum();
  }

  /** How many connections were closed before they were admitted. */
  double refusedConnections() {
    return metrics.get("vertlet_server_connections_refused_total").counters().stream()
        .mapToDouble(counter -> counter.count())
        .sum();
  }

  /** How many ports there are. */
  int listeners() {
    return (int) ports.values().stream().distinct().count();
  }

  Answer get(String path) {
    return call(HttpMethod.GET, path, GOOD);
  }

  Answer call(HttpMethod method, String path, String token) {
    return call(port("n0"), method, path, token);
  }

  Answer call(int port, HttpMethod method, String path, String token) {
    return http.call(port, method, path, TestHttp.bearer(token));
  }

  Answer plain(int port, String path) {
    return plain.get(port, path);
  }

  /** Begins to follow the log of {@code n0}'s pod. */
  HttpClientResponse follow() {
    return Waits.get(
        http()
            .request(
                HttpMethod.GET,
                port("n0"),
                "127.0.0.1",
                "/containerLogs/default/pod-of-n0/c?follow=true")
            .compose(request -> request.putHeader("Authorization", "Bearer good").send()));
  }

  WebSocketClient webSockets() {
    return webSockets;
  }

  HttpClient http() {
    return http.client();
  }

  /** Asks everything over one connection. */
  HttpClient http2() {
    return http2.client();
  }

  static List<String> nodes(int count) {
    return IntStream.range(0, count).mapToObj(i -> "n" + i).toList();
  }
}
