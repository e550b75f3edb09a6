package dev.vertlet.agent;

import static java.util.concurrent.TimeUnit.SECONDS;

import dev.vertlet.api.HealthzServer;
import dev.vertlet.api.KubeletSecurity;
import dev.vertlet.api.KubeletServer;
import dev.vertlet.api.Security;
import dev.vertlet.api.route.NodeServer;
import dev.vertlet.api.route.PodLookup;
import dev.vertlet.api.route.RouteTable;
import dev.vertlet.api.route.ServedNodes;
import dev.vertlet.auth.tls.ServingNames;
import dev.vertlet.config.node.ConfiguredNode;
import dev.vertlet.dynamicconfig.KubeletEndpoints;
import dev.vertlet.eventloop.EventLoop;
import dev.vertlet.eventloop.EventLoops;
import dev.vertlet.kube.client.KubeClient;
import dev.vertlet.nodeconfig.ActiveConfigs;
import dev.vertlet.nodeconfig.ServedConfigs;
import dev.vertlet.nodes.KubeletEndpoint;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The kubelet API of an agent's nodes, on its own event loop so that no stream delays a shard.
 * Called on the main loop, except for {@link #stop}; results arrive there.
 */
final class KubeletApi implements KubeletEndpoints {
  /** Placeholder name of the adopted nodes; no node can have it. */
  private static final String ADOPTED = "{adopted}";

  private final AgentResources agent;
  private final StartupConfig config;
  private final ActiveConfigs book;
  private final Promise<Map<String, KubeletEndpoint>> endpoints = Promise.promise();
  private Future<?> listening = Future.succeededFuture();
  private @Nullable EventLoop loop;

  /** Null while the API is not open, and when it is disabled. */
  private @Nullable KubeletServer server;

  KubeletApi(AgentResources agent, StartupConfig config) {
    this.agent = agent;
    this.config = config;
    this.book = config.dynamic().book();
  }

  /** Completes with the address of each node's kubelet API; without any when it is disabled. */
  Future<Map<String, KubeletEndpoint>> endpoints() {
    return endpoints.future();
  }

  /**
   * Starts to serve the API, unless it is disabled.
   *
   * @return completes when its event loop runs; certificates are read or made meanwhile
   */
  Future<?> open(ShardSet shards, KubeClient kube) {
    if (!config.process().server().enableServer()) {
      endpoints.complete(Map.of());
      return Future.succeededFuture();
    }
    RouteTable routes = routes(shards, kube);
    Security security =
        new KubeletSecurity(
            agent.vertx(),
            config.process().agent().dataDir().resolve("pki"),
            kube,
            config.options().client().tls(),
            agent.wallEnv());
    EventLoop own = agent.loops().loop("server");
    return agent
        .loops()
        .deploy(own)
        .compose(
            id -> {
              loop = own;
              KubeletServer made =
                  new KubeletServer(
                      config.process().server(),
                      config.nodes().stream().map(ConfiguredNode::spec).toList(),
                      adoptedAs(),
                      config.dynamic()::server,
                      security,
                      routes,
                      agent.steadyEnv());
              made.endpoints().onComplete(endpoints);
              server = made;
              listening = own.add(() -> made).compose(v -> startHealthz(own));
              return Future.succeededFuture();
            });
  }

  /**
   * Completes when the server listens, which the registration of nodes does not wait for; fails
   * when a port is taken or a certificate cannot be used.
   */
  Future<?> listening() {
    return listening;
  }

  private RouteTable routes(ShardSet shards, KubeClient kube) {
    Map<Integer, ServedNodes.ServedNode> homes =
        shards.all().stream()
            .collect(
                Collectors.toMap(
                    Shard::index,
                    shard -> new ServedNodes.ServedNode(shard.provider(), shard.loop()::execute)));
    Predicate<String> served = served();
    return new RouteTable(
        config.process().kubernetes().listPageSize(),
        new ServedConfigs(served, book::config),
        kube,
        new PodLookup(
            agent.bus(), config.shards(), shards.all().stream().map(Shard::index).toList()),
        new ServedNodes(
            agent.vertx(), node -> served.test(node) ? homes.get(config.shards().of(node)) : null),
        agent.loops().liveness()::overdue,
        agent.steadyEnv());
  }

  /** Tests for nodes of the configuration, and for nodes adopted so far. */
  private Predicate<String> served() {
    Set<String> own = Set.copyOf(config.names());
    return config.adopts() ? node -> own.contains(node) || book.has(node) : own::contains;
  }

  /** Names of the serving certificate for adopted nodes: the agent's own and their addresses. */
  private @Nullable ServingNames adoptedAs() {
    return config.adopts()
        ? ServingNames.of(
            ADOPTED,
            config.process().adopt().stream().flatMap(adopt -> adopt.addresses().stream()).toList())
        : null;
  }

  private Future<?> startHealthz(EventLoop own) {
    int port = config.process().server().healthzPort();
    return port == 0
        ? Future.succeededFuture()
        : own.add(() -> new HealthzServer(port, agent.loops().liveness()::overdue));
  }

  @Override
  public Future<Boolean> configure(String node, NodeServer how) {
    KubeletServer open = server;
    return open == null
        ? Future.succeededFuture(false)
        // not before the server's first addresses are known
        : onMain(open.endpoints().compose(v -> open.configure(node, how)));
  }

  @Override
  public Map<String, KubeletEndpoint> reached() {
    Future<Map<String, KubeletEndpoint>> known = endpoints.future();
    return known.succeeded() ? known.result() : Map.of();
  }

  /** Serves an adopted node's API; completes, perhaps at once, when it can be reached. */
  Future<?> serve(String node) {
    Future<?> served = server == null ? Future.succeededFuture() : server.adopt(node);
    return served.isComplete() ? served : onMain(served);
  }

  /** Stops serving an adopted node's API. */
  void leave(String node) {
    if (server != null) {
      server.leave(node);
    }
  }

  private <T> Future<T> onMain(Future<T> result) {
    Promise<T> handed = Promise.promise();
    result.onComplete(done -> agent.loops().main().execute(() -> handed.handle(done)));
    return handed.future();
  }

  /** Stops serving. */
  Future<?> stop() {
    EventLoop own = loop;
    return own == null
        ? Future.succeededFuture()
        : own.removeAll().timeout(EventLoops.STEP_SECONDS, SECONDS);
  }
}
