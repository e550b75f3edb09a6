package dev.vertlet.dynamicconfig;

import dev.vertlet.bus.Bus;
import dev.vertlet.bus.Shards;
import dev.vertlet.cli.FailedException;
import dev.vertlet.cli.Failures;
import dev.vertlet.config.AgentConfig.ConfigChangeMode;
import dev.vertlet.config.ConfigSyncConfig;
import dev.vertlet.config.VertletConfig;
import dev.vertlet.configsync.ConfigSyncVerticle;
import dev.vertlet.configsync.ConfigSyncVerticle.Booted;
import dev.vertlet.eventloop.EventLoop;
import dev.vertlet.eventloop.EventLoops;
import dev.vertlet.kube.client.KubeClient;
import dev.vertlet.logging.Logging;
import dev.vertlet.loop.Env;
import dev.vertlet.nodeconfig.ActiveConfigs;
import dev.vertlet.nodeconfig.FeatureOptions;
import dev.vertlet.payload.NodeConfig;
import dev.vertlet.references.BusReferences;
import io.vertx.core.Future;
import java.util.List;
import java.util.Set;

/**
 * The configurations that the cluster assigned. With {@link PayloadTarget}, all of an agent that
 * needs the module vertlet-configsync: loaded only where {@code configSync.enabled} asks for it.
 */
final class ClusterConfigs implements DynamicConfig.Assignments {
  private final Set<String> serving;
  private final Bus bus;
  private final PayloadTarget target;
  private final ConfigSyncVerticle<ActiveConfigs.Entry> sync;

  private ClusterConfigs(
      Set<String> serving,
      Bus bus,
      PayloadTarget target,
      ConfigSyncVerticle<ActiveConfigs.Entry> sync) {
    this.serving = serving;
    this.bus = bus;
    this.target = target;
    this.sync = sync;
  }

  /**
   * Selects each node's configuration from the local files.
   *
   * @param names of the nodes that the agent creates
   * @return fails with a line for the user when a store cannot be used or no node has a usable
   *     config
   */
  static Future<ClusterConfigs> boot(
      VertletConfig local,
      List<String> names,
      ActiveConfigs book,
      EventLoops loops,
      Bus bus,
      Env env,
      Runnable exit) {
    PayloadTarget target =
        new PayloadTarget(DynamicConfig.primary(local), book, bus, Logging::apply, exit);
    ConfigSyncVerticle<ActiveConfigs.Entry> sync =
        new ConfigSyncVerticle<>(settings(local, names), target, bus, env);
    return loops
        .add(loops.main(), () -> sync)
        .compose(v -> loops.main().call(sync::booted))
        .compose(booted -> booted)
        .recover(failure -> Future.failedFuture(unusable(local, failure)))
        .compose(booted -> served(booted, local))
        .map(serving -> new ClusterConfigs(serving, bus, target, sync));
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

  @Override
  public Set<String> serving() {
    return serving;
  }

  @Override
  public Future<?> follow(
      Shards shards, KubeClient kube, EventLoop main, KubeletEndpoints endpoints) {
    return main.call(
            () -> {
              target.running(shards, endpoints, kube::limit);
              // the index after those of the shards, which no other caller uses
              return sync.follow(shards, new BusReferences(bus, shards.count()), kube);
            })
        .compose(following -> following);
  }

  @Override
  public void tellLease(String node, NodeConfig config) {
    target.tellLease(node, config);
  }
}
