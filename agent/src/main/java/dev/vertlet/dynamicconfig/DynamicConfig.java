package dev.vertlet.dynamicconfig;

import dev.vertlet.bus.Bus;
import dev.vertlet.bus.Shards;
import dev.vertlet.cli.FailedException;
import dev.vertlet.cli.Failures;
import dev.vertlet.config.AgentConfig.ConfigChangeMode;
import dev.vertlet.config.ConfigSyncConfig;
import dev.vertlet.config.LoadedConfig;
import dev.vertlet.config.VertletConfig;
import dev.vertlet.config.node.AdoptConfig;
import dev.vertlet.config.node.ConfiguredNode;
import dev.vertlet.configsync.ConfigSyncVerticle;
import dev.vertlet.configsync.ConfigSyncVerticle.Booted;
import dev.vertlet.eventloop.EventLoop;
import dev.vertlet.eventloop.EventLoops;
import dev.vertlet.events.EventLimit;
import dev.vertlet.kube.KubeClient;
import dev.vertlet.kubelet.NodeServer;
import dev.vertlet.logging.Logging;
import dev.vertlet.loop.Env;
import dev.vertlet.nodeconfig.ActiveConfigs;
import dev.vertlet.nodeconfig.FeatureOptions;
import dev.vertlet.payload.NodeConfig;
import dev.vertlet.references.BusReferences;
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
  private final Bus bus;
  private final @Nullable PayloadTarget target;
  private final @Nullable ConfigSyncVerticle<ActiveConfigs.Entry> sync;

  private DynamicConfig(
      VertletConfig local,
      ActiveConfigs book,
      Set<String> serving,
      Bus bus,
      @Nullable PayloadTarget target,
      @Nullable ConfigSyncVerticle<ActiveConfigs.Entry> sync) {
    this.local = local;
    this.book = book;
    this.primary = primary(local);
    this.serving = serving;
    this.bus = bus;
    this.target = target;
    this.sync = sync;
  }

  private static String primary(VertletConfig config) {
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
                    new DynamicConfig(local, book, Set.copyOf(names), bus, null, null));
              }
              PayloadTarget target =
                  new PayloadTarget(primary(local), book, bus, Logging::apply, exit);
              ConfigSyncVerticle<ActiveConfigs.Entry> sync =
                  new ConfigSyncVerticle<>(settings(local, names), target, bus, env);
              return loops
                  .add(loops.main(), () -> sync)
                  .compose(v -> loops.main().call(sync::booted))
                  .compose(booted -> booted)
                  .recover(failure -> Future.failedFuture(unusable(local, failure)))
                  .compose(booted -> served(booted, local))
                  .map(serving -> new DynamicConfig(local, book, serving, bus, target, sync));
            });
  }

  private static Future<Set<String>> served(Booted booted, VertletConfig local) {
    return booted.serving().isEmpty()
        ? Future.failedFuture(
            new FailedException(
                "no node has a config that can be used, see configSync.dynamicConfigDir %s: %s"
                    .formatted(
                        local.configSync().dynamicConfigDir(),
                        booted.withheld().values().iterator().next())))
        : Future.succeededFuture(booted.serving());
  }

  private static FailedException unusable(VertletConfig local, Throwable failure) {
    return failure instanceof FailedException known
        ? known
        : new FailedException(
            ("configSync.dynamicConfigDir %s cannot be used: %s; --set configSync.enabled=false"
                    + " turns it off")
                .formatted(local.configSync().dynamicConfigDir(), Failures.line(failure)),
            failure);
  }

  private static ConfigSyncVerticle.Settings settings(VertletConfig local, List<String> names) {
    ConfigSyncConfig config = local.configSync();
    return new ConfigSyncVerticle.Settings(
        config.dynamicConfigDir(),
        names,
        config.allowedNamespaces().isEmpty()
            ? Set.of(new FeatureOptions(local).ownNamespace())
            : Set.copyOf(config.allowedNamespaces()),
        config.trialDuration(),
        local.agent().configChangeMode() == ConfigChangeMode.EXIT,
        config.checkpointHistory());
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
    return PayloadTarget.server(book.config(node));
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
    PayloadTarget telling = target;
    ConfigSyncVerticle<ActiveConfigs.Entry> syncing = sync;
    if (telling == null || syncing == null) {
      return Future.succeededFuture();
    }
    return main.call(
            () -> {
              telling.running(shards, endpoints, kube::limit);
              // the index after those of the shards, which no other caller uses
              return syncing.follow(shards, new BusReferences(bus, shards.count()), kube);
            })
        .compose(following -> following);
  }

  /** Sends lease settings that differ from the process'. Call it after the leases' start. */
  public void tellLeases(VertletConfig process) {
    PayloadTarget telling = target;
    if (telling == null) {
      return;
    }
    for (ConfiguredNode node : nodes()) {
      NodeConfig config = book.config(node.spec().name());
      if (!config.config().lease().equals(process.lease())
          || !config.config().nodeStatus().equals(process.nodeStatus())) {
        telling.tellLease(node.spec().name(), config);
      }
    }
  }
}
