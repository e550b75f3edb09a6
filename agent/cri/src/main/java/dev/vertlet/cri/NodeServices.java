package dev.vertlet.cri;

import dev.vertlet.cri.cgroup.ContainerResizes;
import dev.vertlet.cri.cgroup.DetectedCgroups;
import dev.vertlet.cri.container.CachedContainer;
import dev.vertlet.cri.container.CachedPod;
import dev.vertlet.cri.container.PodCache;
import dev.vertlet.cri.image.SandboxImage;
import dev.vertlet.cri.logs.LogRotator;
import dev.vertlet.cri.node.CriNode;
import dev.vertlet.cri.sandbox.PodCgroups;
import dev.vertlet.cri.sandbox.PodMarks;
import dev.vertlet.cri.stats.CriStats;
import dev.vertlet.cri.stats.StatsSource;
import dev.vertlet.cri.wire.ContainerMessages.ReopenContainerLogRequest;
import dev.vertlet.cri.wire.StatsMessages.ContainerStatsFilter;
import dev.vertlet.cri.wire.StatsMessages.ListContainerStatsRequest;
import dev.vertlet.cri.wire.StatusMessages.RuntimeConfigRequest;
import dev.vertlet.cri.wire.StatusMessages.StatusRequest;
import dev.vertlet.cri.wire.StatusMessages.VersionRequest;
import dev.vertlet.host.files.Workers;
import dev.vertlet.provider.ProviderSetup;
import dev.vertlet.provider.container.ContainerRuntime.RuntimeListener;
import dev.vertlet.provider.container.ImageRecord;
import dev.vertlet.provider.node.NodeSpec;
import dev.vertlet.provider.node.NodeUsage;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What a runtime does for its nodes beside running pods: it describes and measures them, limits
 * pods as a whole, resizes containers and rotates their logs. Confined to the shard's loop.
 */
final class NodeServices {
  private final PodCgroups cgroups;
  private final CriNode node;
  private final CriStats stats;
  private final ContainerResizes resizes;
  private final LogRotator rotator;
  private final SandboxImage sandboxImage;
  private final Set<String> nodes;
  private final RuntimeListener listener;

  /**
   * @param nodes that are served; changes with them
   */
  NodeServices(
      ProviderSetup setup,
      CriOptions options,
      CriClient client,
      PodCgroups cgroups,
      PodCache cache,
      Set<String> nodes,
      RuntimeListener listener) {
    Workers workers = new Workers(setup.vertx());
    this.cgroups = cgroups;
    this.nodes = nodes;
    this.listener = listener;
    this.node = new CriNode(workers, () -> client.runtime().version(new VersionRequest("v1")));
    Map<String, String> selector = PodMarks.of(setup.podsDir()).selector();
    this.stats =
        new CriStats(
            StatsSource.of(client.runtime(), client.images(), selector),
            cache::pods,
            workers,
            setup.clock(),
            setup.podsDir());
    this.resizes =
        new ContainerResizes(
            cgroups,
            request -> client.runtime().updateContainerResources(request),
            id ->
                client
                    .runtime()
                    .listContainerStats(
                        new ListContainerStatsRequest(new ContainerStatsFilter(id, "", Map.of())))
                    .map(answer -> answer.stats()));
    this.rotator =
        new LogRotator(
            setup.vertx(),
            setup.clock(),
            () -> logs(cache),
            id -> client.runtime().reopenContainerLog(new ReopenContainerLogRequest(id)).mapEmpty(),
            new LogRotator.Limits(options.logBytes(), options.logFiles()));
    this.sandboxImage = new SandboxImage(() -> client.runtime().status(new StatusRequest(true)));
  }

  /** Groups of pods as they are configured. */
  static PodCgroups cgroups(ProviderSetup setup, CriOptions options, CriClient client) {
    return options.cgroupRoot().isEmpty()
        ? PodCgroups.NONE
        : new DetectedCgroups(
            setup.vertx(),
            () -> client.runtime().runtimeConfig(new RuntimeConfigRequest()),
            options.cgroupRoot(),
            options.cgroupDriver(),
            options.podPidsLimit());
  }

  private static List<LogRotator.Target> logs(PodCache cache) {
    List<LogRotator.Target> running = new ArrayList<>();
    for (CachedPod pod : cache.pods()) {
      for (CachedContainer container : pod.containers()) {
        if (container.record().running()) {
          running.add(new LogRotator.Target(container.id(), container.log()));
        }
      }
    }
    return running;
  }

  /** Reads what the machine is, and begins to rotate logs. The runtime may be away. */
  Future<Void> start() {
    rotator.start();
    return node.read().compose(read -> node.refresh().otherwise(false)).mapEmpty();
  }

  /** Looks whether the runtime was replaced by another version. Never fails. */
  Future<Void> refresh() {
    return node.refresh()
        .otherwise(false)
        .map(
            changed -> {
              if (changed) {
                nodes.forEach(listener::nodeChanged);
              }
              return null;
            });
  }

  NodeSpec configure(NodeSpec spec) {
    return node.over(spec);
  }

  Future<NodeUsage> usage(String name) {
    return stats.usage(name);
  }

  Future<Void> resize(ContainerResizes.Change change) {
    return resizes.change(change);
  }

  /** Returns images of which those that the runtime needs itself are pinned. */
  Future<List<ImageRecord>> pinned(List<ImageRecord> images) {
    return sandboxImage.pin(images);
  }

  Future<Void> stop() {
    rotator.stop();
    return cgroups.leave();
  }
}
