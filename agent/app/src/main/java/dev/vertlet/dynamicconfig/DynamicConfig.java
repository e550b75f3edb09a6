package dev.vertlet.dynamicconfig;

import dev.vertlet.api.route.NodeServer;
import dev.vertlet.bus.Bus;
import dev.vertlet.bus.Shards;
import dev.vertlet.cli.OptionalModule;
import dev.vertlet.config.LoadedConfig;
import dev.vertlet.config.VertletConfig;
import dev.vertlet.config.node.AdoptConfig;
import dev.vertlet.config.node.ConfiguredNode;
import dev.vertlet.eventloop.EventLoop;
import dev.vertlet.eventloop.EventLoops;
import dev.vertlet.events.EventLimit;
import dev.vertlet.kube.client.KubeClient;
import dev.vertlet.loop.Env;
import dev.vertlet.nodeconfig.ActiveConfigs;
import dev.vertlet.nodeconfig.FeatureOptions;
import dev.vertlet.payload.NodeConfig;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The configurations of an agent's nodes: the local one, or those that the cluster assigned. */
public final class DynamicConfig {
  private final VertletConfig local;
  private final ActiveConfigs book;
  private final String primary;
  private final Set<String> serving;
  private final @Nullable Assignments assignments;

  /** The cluster's part, absent where local configurations are all there is. */
  interface Assignments {
    Set<String> serving();

    Future<?> follow(Shards shards, KubeClient kube, EventLoop main, KubeletEndpoints endpoints);

    void tellLease(String node, NodeConfig config);
  }

  private DynamicConfig(
      VertletConfig local,
      ActiveConfigs book,
      Set<String> serving,
      @Nullable Assignments assignments) {
    this.local = local;
    this.book = book;
    this.primary = primary(local);
    this.serving = serving;
    this.assignments = assignments;
  }

  static String primary(VertletConfig config) {
    return config.nodes().isEmpty() ? "" : config.nodes().get(0).spec().name();
  }

  /**
   * Selects each node's configuration from local files alone, without the API server.
   *
   * @param exit ends the process with 0, for a config of the whole process
   * @return fails with a line for the user when a store cannot be used or no node has a usable
   *     config
   */
  public static Future<DynamicConfig> boot(
      LoadedConfig loaded, Vertx vertx, EventLoops loops, Bus bus, Env env, Runnable exit) {
    VertletConfig local = loaded.config();
    List<String> names = local.nodeSpecs().stream().map(spec -> spec.name()).toList();
    return vertx
        .executeBlocking(new FeatureOptions(local)::dns)
        .compose(
            dns -> {
              ActiveConfigs book = ActiveConfigs.local(loaded, dns);
              if (!local.configSync().enabled()) {
                return Future.succeededFuture(
                    new DynamicConfig(local, book, Set.copyOf(names), null));
              }
              OptionalModule.CONFIG_SYNC.require("configSync.enabled");
              return ClusterConfigs.boot(local, names, book, loops, bus, env, exit)
                  .map(all -> new DynamicConfig(local, book, all.serving(), all));
            });
  }

  public ActiveConfigs book() {
    return book;
  }

  /** Nodes to adopt, from the local configuration alone. */
  public List<AdoptConfig> adopt() {
    return local.adopt();
  }

  /** Configuration of the process, for use at start. */
  public VertletConfig process() {
    return serving.contains(primary) ? book.config(primary).config() : local;
  }

  /** Limit of a node's events; the default for names that are not the agent's nodes. */
  public EventLimit events(String node) {
    return book.has(node) ? book.config(node).node().events() : EventLimit.DEFAULTS;
  }

  /** Returns how a node's kubelet API is served. */
  public NodeServer server(String node) {
    return server(book.config(node));
  }

  static NodeServer server(NodeConfig config) {
    return new NodeServer(config.config().server(), config.port());
  }

  /**
   * The nodes with their current configurations, without those that have no usable one; at least
   * one, unless nodes are adopted.
   */
  public List<ConfiguredNode> nodes() {
    return local.nodes().stream()
        .map(node -> node.spec().name())
        .filter(serving::contains)
        .map(name -> book.config(name).node())
        .toList();
  }

  /**
   * Starts to follow the cluster's assignments. Call it before nodes are registered.
   *
   * @param endpoints serves a node's kubelet API as its config says
   */
  public Future<?> follow(
      Shards shards, KubeClient kube, EventLoop main, KubeletEndpoints endpoints) {
    Assignments assigned = assignments;
    return assigned == null
        ? Future.succeededFuture()
        : assigned.follow(shards, kube, main, endpoints);
  }

  /** Sends lease settings that differ from the process'. Call it after the leases' start. */
  public void tellLeases(VertletConfig process) {
    Assignments assigned = assignments;
    if (assigned == null) {
      return;
    }
    for (ConfiguredNode node : nodes()) {
      NodeConfig config = book.config(node.spec().name());
      if (!config.config().lease().equals(process.lease())
          || !config.config().nodeStatus().equals(process.nodeStatus())) {
        assigned.tellLease(node.spec().name(), config);
      }
    }
  }
}
