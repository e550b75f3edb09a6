package dev.vertlet.api;

import dev.vertlet.api.route.NodeServer;
import dev.vertlet.api.route.RouteTable;
import dev.vertlet.auth.tls.ServingNames;
import dev.vertlet.http.HttpServers;
import dev.vertlet.loop.Env;
import dev.vertlet.meter.Metric;
import dev.vertlet.nodes.KubeletEndpoint;
import dev.vertlet.provider.node.NodeSpec;
import dev.vertlet.server.RefusalMeter;
import dev.vertlet.server.ServedLimits;
import dev.vertlet.server.ServerSettings;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import io.vertx.core.http.HttpServerOptions;
import java.util.AbstractSet;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves the kubelet API of all nodes of an agent: up to 64 nodes have one port each; more nodes
 * share one. Adopted nodes come and go: each has its own port while fewer than 64 nodes have one,
 * and one more port serves all of them. Deployed on its own event loop.
 */
public final class KubeletServer extends VerticleBase {
  private static final Logger LOG = LoggerFactory.getLogger(KubeletServer.class);

  /** Declared feature that allows API servers from 1.36 on to use WebSocket with the server. */
  private static final List<String> FEATURES = List.of("ExtendWebSocketsToKubelet");

  private static final Metric NAME =
      Metric.gauge("kubelet_node_name", "", "the nodes of the agent by name; always 1", "node");

  private final ServerSettings config;
  private final List<NodeSpec> nodes;
  private final Function<String, NodeServer> servers;
  private final Security security;
  private final RouteTable routes;
  private final Env env;
  private final Promise<Map<String, KubeletEndpoint>> endpoints = Promise.promise();

  /** Names of the adopted nodes' kubelets; null when no nodes are adopted. */
  private final @Nullable ServingNames adoptedAs;

  /** Adopted nodes; another loop changes them. */
  private final Set<String> adopted = ConcurrentHashMap.newKeySet();

  /** Endpoint of the shared port; written on the own loop, read by others. */
  private volatile @Nullable KubeletEndpoint shared;

  /** Endpoints by node; other loops read them, too. */
  private final Map<String, KubeletEndpoint> reached = new ConcurrentHashMap<>();

  /** The last change, which may be in progress. */
  private Future<Boolean> last = Future.succeededFuture(false);

  /** Sockets of the read-only port, with separate limits from those of authenticated clients. */
  @SuppressWarnings("NullAway.Init") // set by start
  private Sockets openSockets;

  @SuppressWarnings("NullAway.Init") // set by start
  private Sockets sockets;

  @SuppressWarnings("NullAway.Init") // set by start
  private NodeApis apis;

  @SuppressWarnings("NullAway.Init") // set by start
  private ListenerSet listenerSet;

  /**
   * @param config configuration of the process
   * @param nodes nodes that the agent creates
   * @param adoptedAs names of the adopted nodes' kubelets, its node name differs from every node's;
   *     null when no nodes are adopted
   * @param servers how each is to be served at first; where all share a port the first one's counts
   * @param routes what is served
   */
  public KubeletServer(
      ServerSettings config,
      List<NodeSpec> nodes,
      @Nullable ServingNames adoptedAs,
      Function<String, NodeServer> servers,
      Security security,
      RouteTable routes,
      Env env) {
    this.adoptedAs = adoptedAs;
    this.config = config;
    this.nodes = List.copyOf(nodes);
    this.servers = servers;
    this.security = security;
    this.routes = routes;
    this.env = env;
  }

  /**
   * Completes with each node's endpoint once the server listens; fails as the deployment does. The
   * map changes with {@link #configure}.
   */
  public Future<Map<String, KubeletEndpoint>> endpoints() {
    return endpoints.future();
  }

  /** Opens the listeners; fails with one line that names the key to change. */
  @Override
  public Future<?> start() {
    ServerLimits limits = ServerLimits.of(config);
    sockets = new Sockets(vertx, servers("kubelet", ServedLimits.KUBELET));
    openSockets = new Sockets(vertx, servers("readOnly", ServedLimits.READ_ONLY));
    RequestMeter meter = new RequestMeter(env.meters());
    InFlight inFlight = new InFlight();
    List<Listener> listeners = listeners();
    apis =
        new NodeApis(
            security,
            allNames(listeners),
            (access, by) ->
                new RouteDispatcher(
                    access,
                    routes.handlers(vertx, by),
                    by.debugging(),
                    limits,
                    inFlight,
                    meter,
                    env.nanos()));
    listenerSet = new ListenerSet(config, sockets, apis);
    nameNodes();
    return openAll(listeners)
        .compose(v -> openReadOnly())
        .map(v -> published())
        .onSuccess(v -> say())
        .onComplete(endpoints);
  }

  private HttpServers servers(String name, ServedLimits limits) {
    return new HttpServers(
        vertx,
        limits.limits(config.maxConnections(), config.maxHeaderBytes()),
        new RefusalMeter(name, env.meters(), LOG, env.nanos()),
        env.nanos());
  }

  /** Exports the nodes' names as a metric, unless there are more than 64 nodes. */
  private void nameNodes() {
    if (nodes.size() > ServerSettings.MOST_PORTS) {
      return;
    }
    for (NodeSpec node : nodes) {
      NAME.gauge(env.meters(), () -> 1, node.name());
    }
  }

  private List<Listener> listeners() {
    if (nodes.isEmpty()) {
      return List.of();
    }
    return nodes.size() > ServerSettings.MOST_PORTS
        ? List.of(Listener.shared(nodeNames()))
        : nodes.stream().map(node -> Listener.of(node.name())).toList();
  }

  private Set<String> nodeNames() {
    return nodes.stream().map(NodeSpec::name).collect(Collectors.toSet());
  }

  private List<ServingNames> allNames(List<Listener> listeners) {
    List<ServingNames> all = new ArrayList<>(names(listeners));
    if (adoptedAs != null) {
      all.add(adoptedAs);
    }
    return all;
  }

  private List<ServingNames> names(List<Listener> listeners) {
    return listeners.size() == nodes.size()
        ? nodes.stream().map(node -> namesOf(List.of(node))).toList()
        : List.of(namesOf(nodes));
  }

  private static ServingNames namesOf(List<NodeSpec> nodes) {
    return ServingNames.of(
        nodes.get(0).name(), nodes.stream().flatMap(node -> node.addresses().stream()).toList());
  }

  private Future<?> openAll(List<Listener> listeners) {
    List<ListenerSet.Asked> asked = new ArrayList<>();
    for (int i = 0; i < listeners.size(); i++) {
      String node = nodes.get(i).name();
      asked.add(new ListenerSet.Asked(node, listeners.get(i), servers.apply(node)));
    }
    ServingNames others = adoptedAs;
    if (others == null) {
      return listenerSet.open(asked);
    }
    asked.add(
        new ListenerSet.Asked(
            others.node(), Listener.changing(adopted), new NodeServer(config, 0)));
    return listenerSet
        .open(asked)
        .onSuccess(
            v -> {
              for (ListenerSet.Entry entry : listenerSet.all()) {
                shared = entry.node.equals(others.node()) ? endpoint(entry) : shared;
              }
            });
  }

  /**
   * Starts to serve an adopted node. Thread-safe.
   *
   * @return completes when {@link #endpoints} contains the node: at once for a node without its own
   *     port; fails as the deployment does
   */
  public Future<?> adopt(String node) {
    adopted.add(node);
    KubeletEndpoint one = shared;
    if (one != null && full()) {
      reached.put(node, one);
      return Future.succeededFuture();
    }
    Promise<Boolean> done = Promise.promise();
    context.runOnContext(
        v -> {
          last = last.transform(before -> endpoints.future()).compose(open -> openListener(node));
          last.onComplete(done);
        });
    return done.future();
  }

  private boolean full() {
    return reached.size() >= ServerSettings.MOST_PORTS;
  }

  /** Opens a port for the node while ports are left; otherwise the node uses the shared port. */
  private Future<Boolean> openListener(String node) {
    ServingNames others = adoptedAs;
    KubeletEndpoint one = shared;
    if (!adopted.contains(node) || others == null || one == null) {
      return Future.succeededFuture(false);
    }
    reached.put(node, one);
    if (listenerSet.all().size() > ServerSettings.MOST_PORTS) {
      return Future.succeededFuture(true);
    }
    ListenerSet.Asked asked =
        new ListenerSet.Asked(node, others.node(), Listener.of(node), new NodeServer(config, 0));
    return listenerSet
        .open(List.of(asked))
        .map(
            v -> {
              if (adopted.contains(node)) {
                published();
              } else {
                listenerSet.close(node);
              }
              return true;
            })
        .otherwise(true); // no port is left
  }

  /** Stops serving an adopted node. Thread-safe. */
  public void leave(String node) {
    adopted.remove(node);
    reached.remove(node);
    context.runOnContext(
        v ->
            last =
                last.transform(
                    before -> {
                      if (!adopted.contains(node)) {
                        reached.remove(node);
                        listenerSet.close(node);
                      }
                      return Future.succeededFuture(true);
                    }));
  }

  /**
   * Reconfigures a node's server. A listener with another port opens before the old one closes, so
   * that clients always find one. Thread-safe after the deployment.
   *
   * @return completes on the verticle's context with whether anything changed; fails with one line
   *     and without any change
   */
  public Future<Boolean> configure(String node, NodeServer settings) {
    Promise<Boolean> done = Promise.promise();
    context.runOnContext(
        v -> {
          last = last.transform(before -> listenerSet.change(node, settings));
          last.onSuccess(changed -> published()).onComplete(done);
        });
    return done.future();
  }

  private Future<?> openReadOnly() {
    if (config.readOnlyPort() == 0) {
      return Future.succeededFuture();
    }
    Listener listener =
        (adoptedAs == null ? Listener.shared(nodeNames()) : Listener.changing(new AllNodes()))
            .readOnly();
    ListenerSet.Entry first = listenerSet.all().iterator().next();
    return openSockets
        .open(
            new HttpServerOptions(),
            config.kubeletAddress(),
            config.readOnlyPort(),
            request -> first.answer(listener, request))
        .recover(
            failure ->
                Future.failedFuture(
                    ListenerSet.refused(
                        config.kubeletAddress(),
                        "readOnlyPort",
                        Integer.toString(config.readOnlyPort()),
                        ListenerSet.reason(failure))));
  }

  /** Created nodes and currently adopted nodes. */
  private final class AllNodes extends AbstractSet<String> {
    @Override
    public Iterator<String> iterator() {
      return Stream.concat(nodeNames().stream(), adopted.stream()).iterator();
    }

    @Override
    public int size() {
      return nodes.size() + adopted.size();
    }
  }

  private Map<String, KubeletEndpoint> published() {
    listenerSet.all().forEach(this::publish);
    return Collections.unmodifiableMap(reached);
  }

  private void say() {
    LOG.info(
        "kubelet API on https://{}:{}{}",
        config.kubeletAddress(),
        listenerSet.all().iterator().next().port(),
        listenerSet.all().size() == 1 ? "" : " (" + listenerSet.all().size() + " ports)");
  }

  private void publish(ListenerSet.Entry entry) {
    if (adoptedAs == null || !entry.node.equals(adoptedAs.node())) {
      KubeletEndpoint endpoint = endpoint(entry);
      entry.listener.nodes().forEach(node -> reached.put(node, endpoint));
    }
  }

  private static KubeletEndpoint endpoint(ListenerSet.Entry entry) {
    return new KubeletEndpoint(entry.port(), features(entry.settings.config()));
  }

  /** Returns the declared features; streams are served only with debugging handlers. */
  private static List<String> features(ServerSettings config) {
    return config.enableDebuggingHandlers() && config.extendWebSocketsToKubelet()
        ? FEATURES
        : List.of();
  }

  /** Accepts no more requests and ends those in flight. */
  @Override
  public Future<?> stop() {
    return sockets.close().eventually(openSockets::close).eventually(apis::close);
  }
}
