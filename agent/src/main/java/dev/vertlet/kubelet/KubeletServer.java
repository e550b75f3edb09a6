package dev.vertlet.kubelet;

import dev.vertlet.auth.AccessControl;
import dev.vertlet.auth.ServingNames;
import dev.vertlet.config.ServerConfig;
import dev.vertlet.model.NodeAddressView;
import dev.vertlet.nodes.KubeletEndpoint;
import dev.vertlet.provider.NodeSpec;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import io.vertx.core.VertxException;
import io.vertx.core.http.Http2Settings;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import java.net.BindException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves the API of the kubelets of all nodes of an agent: a port for each of up to 64 nodes, one
 * for all above that. Deployed on an event loop of its own.
 */
public final class KubeletServer extends VerticleBase {
  private static final Logger LOG = LoggerFactory.getLogger(KubeletServer.class);

  /** As Go's servers. */
  private static final int STREAMS_PER_CONNECTION = 250;

  /**
   * 10 × 250 streams = 2500 in 30 s: all streams of a connection may be cancelled every 3 s, where
   * the default of 200 would end it with the first. A flood of resets has thousands a second.
   */
  private static final int MOST_RESETS = 10 * STREAMS_PER_CONNECTION;

  private static final int RESETS_SECONDS = 30;

  /** What is being answered when the agent stops has as long. */
  private static final int GRACE_SECONDS = 1;

  /** By this API servers from 1.36 on may speak WebSocket with the server. */
  private static final List<String> FEATURES = List.of("ExtendWebSocketsToKubelet");

  private final ServerConfig config;
  private final List<NodeSpec> nodes;
  private final Map<String, Integer> ports;
  private final Security security;
  private final RouteTable routes;
  private final MeterRegistry metrics;
  private final LongSupplier nanos;
  private final Promise<Map<String, KubeletEndpoint>> endpoints = Promise.promise();
  private final List<HttpServer> servers = new ArrayList<>();

  @SuppressWarnings("NullAway.Init") // set by start
  private Connections connections;

  @SuppressWarnings("NullAway.Init") // set by start
  private Dispatcher dispatcher;

  /**
   * @param nodes all nodes of the agent
   * @param ports of nodes that have one of their own; the others' are of {@code server.portRange}.
   *     Not heeded where all share one
   * @param routes what is served
   * @param nanos monotonic nanoseconds
   */
  public KubeletServer(
      ServerConfig config,
      List<NodeSpec> nodes,
      Map<String, Integer> ports,
      Security security,
      RouteTable routes,
      MeterRegistry metrics,
      LongSupplier nanos) {
    this.config = config;
    this.nodes = List.copyOf(nodes);
    this.ports = Map.copyOf(ports);
    this.security = security;
    this.routes = routes;
    this.metrics = metrics;
    this.nanos = nanos;
  }

  /** Where each node's kubelet is reached, once that is so; fails as the deployment does. */
  public Future<Map<String, KubeletEndpoint>> endpoints() {
    return endpoints.future();
  }

  /** Fails with one line that names the key to change. */
  @Override
  public Future<?> start() {
    ServerLimits limits = ServerLimits.of(config);
    connections = new Connections(vertx, limits, metrics, nanos);
    return security.open().compose(access -> begin(access, limits)).onComplete(endpoints);
  }

  private Future<Map<String, KubeletEndpoint>> begin(AccessControl access, ServerLimits limits) {
    dispatcher =
        new Dispatcher(
            access,
            routes.handlers(vertx),
            config.enableDebuggingHandlers(),
            limits,
            connections,
            new RequestMeter(metrics),
            nanos);
    connections.start();
    nameNodes();
    List<Listener> listeners = listeners();
    return security
        .listeners(names(listeners))
        .compose(options -> openAll(listeners, options))
        .compose(ports -> openReadOnly().map(ports))
        .map(this::published);
  }

  /** Of thousands of nodes nobody wants their names in each scrape. */
  private void nameNodes() {
    if (nodes.size() > ServerConfig.MOST_PORTS) {
      return;
    }
    for (NodeSpec node : nodes) {
      Gauge.builder("kubelet.node.name", () -> 1)
          .description("The nodes of the agent by name; the value is always 1")
          .tag("node", node.name())
          .register(metrics);
    }
  }

  private List<Listener> listeners() {
    return nodes.size() > ServerConfig.MOST_PORTS
        ? List.of(Listener.shared(nodeNames()))
        : nodes.stream().map(node -> Listener.of(node.name())).toList();
  }

  private Set<String> nodeNames() {
    return nodes.stream().map(NodeSpec::name).collect(Collectors.toSet());
  }

  private List<ServingNames> names(List<Listener> listeners) {
    if (listeners.size() == nodes.size()) {
      return nodes.stream().map(node -> calls(List.of(node))).toList();
    }
    return List.of(calls(nodes));
  }

  private static ServingNames calls(List<NodeSpec> nodes) {
    List<String> hosts = new ArrayList<>();
    List<String> addresses = new ArrayList<>();
    nodes.stream()
        .flatMap(node -> node.addresses().stream())
        .forEach(address -> (isIp(address) ? addresses : hosts).add(address.address()));
    return new ServingNames(nodes.get(0).name(), hosts, addresses);
  }

  private static boolean isIp(NodeAddressView address) {
    return address.type().endsWith("IP");
  }

  /** One after another, so that a restart finds the same ports as long as they are free. */
  private Future<Map<Listener, Integer>> openAll(
      List<Listener> listeners, List<HttpServerOptions> options) {
    Iterator<Integer> ranged =
        config.portRange().any()
            ? java.util.Collections.nCopies(listeners.size(), 0).iterator()
            : config.portRange().ports().iterator();
    Future<Map<Listener, Integer>> chain = Future.succeededFuture(new LinkedHashMap<>());
    for (int i = 0; i < listeners.size(); i++) {
      Listener listener = listeners.get(i);
      HttpServerOptions own = options.get(i);
      Integer fixed = ports.get(listener.node());
      Iterator<Integer> candidates = fixed == null ? ranged : List.of(fixed).iterator();
      chain =
          chain.compose(
              open ->
                  next(listener, own, candidates, "no port is left")
                      .map(
                          port -> {
                            open.put(listener, port);
                            return open;
                          }));
    }
    return chain;
  }

  private Future<Integer> next(
      Listener listener, HttpServerOptions options, Iterator<Integer> ports, String last) {
    if (!ports.hasNext()) {
      return Future.failedFuture(refused("portRange", config.portRange().toString(), last));
    }
    int port = ports.next();
    return listen(listener, options, config.kubeletAddress(), port)
        .recover(
            failure ->
                failure instanceof BindException && !config.portRange().any()
                    ? next(listener, options, ports, String.valueOf(failure.getMessage()))
                    : Future.failedFuture(
                        refused("portRange", Integer.toString(port), reason(failure))));
  }

  private Future<?> openReadOnly() {
    if (config.readOnlyPort() == 0) {
      return Future.succeededFuture();
    }
    Listener listener = Listener.shared(nodeNames()).readOnly();
    return listen(listener, new HttpServerOptions(), config.kubeletAddress(), config.readOnlyPort())
        .recover(
            failure ->
                Future.failedFuture(
                    refused(
                        "readOnlyPort", Integer.toString(config.readOnlyPort()), reason(failure))));
  }

  private Future<Integer> listen(
      Listener listener, HttpServerOptions options, String address, int port) {
    options
        .setHost(address)
        .setPort(port)
        .setTcpKeepAlive(true)
        .setMaxInitialLineLength(config.maxHeaderBytes())
        .setMaxHeaderSize(config.maxHeaderBytes())
        .setHttp2RstFloodMaxRstFramePerWindow(MOST_RESETS)
        .setHttp2RstFloodWindowDuration(RESETS_SECONDS)
        .setHttp2RstFloodWindowDurationTimeUnit(TimeUnit.SECONDS)
        .setInitialSettings(
            new Http2Settings()
                .setMaxConcurrentStreams(STREAMS_PER_CONNECTION)
                .setMaxHeaderListSize(config.maxHeaderBytes()));
    return vertx
        .createHttpServer(options)
        .connectionHandler(connections::opened)
        .requestHandler(request -> dispatcher.handle(listener, request))
        .listen()
        .onSuccess(servers::add)
        .map(HttpServer::actualPort);
  }

  private VertxException refused(String key, String value, String reason) {
    return VertxException.noStackTrace(
        "cannot listen on server.kubeletAddress %s, server.%s %s: %s; --set server.%s=… takes another, --set server.enableServer=false does without"
            .formatted(config.kubeletAddress(), key, value, reason, key));
  }

  private static String reason(Throwable failure) {
    return String.valueOf(failure.getMessage());
  }

  private Map<String, KubeletEndpoint> published(Map<Listener, Integer> ports) {
    Map<String, KubeletEndpoint> byNode = new LinkedHashMap<>();
    ports.forEach(
        (listener, port) ->
            listener
                .nodes()
                .forEach(node -> byNode.put(node, new KubeletEndpoint(port, features()))));
    int first = ports.values().iterator().next();
    LOG.info(
        "kubelet API on https://{}:{}{}",
        config.kubeletAddress(),
        first,
        ports.size() == 1 ? "" : " (" + ports.size() + " ports)");
    return byNode;
  }

  /** Streams are served only with debugging handlers. */
  private List<String> features() {
    return config.enableDebuggingHandlers() && config.extendWebSocketsToKubelet()
        ? FEATURES
        : List.of();
  }

  /** Takes no new requests, and ends those that are under way. */
  @Override
  public Future<?> stop() {
    connections.stop();
    return Future.join(
            servers.stream()
                .map(server -> server.shutdown(GRACE_SECONDS, TimeUnit.SECONDS))
                .toList())
        .otherwiseEmpty()
        .eventually(security::close);
  }
}
