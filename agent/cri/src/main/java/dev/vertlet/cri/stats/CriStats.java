package dev.vertlet.cri.stats;

import dev.vertlet.cri.container.CachedContainer;
import dev.vertlet.cri.container.CachedPod;
import dev.vertlet.cri.sandbox.SandboxState;
import dev.vertlet.cri.wire.GrpcException;
import dev.vertlet.cri.wire.ImageMessages.ImageFsInfoResponse;
import dev.vertlet.cri.wire.StatsMessages.ContainerStats;
import dev.vertlet.cri.wire.StatsMessages.LinuxPodSandboxStats;
import dev.vertlet.cri.wire.StatsMessages.ListContainerStatsResponse;
import dev.vertlet.cri.wire.StatsMessages.ListPodSandboxStatsResponse;
import dev.vertlet.cri.wire.StatsMessages.PodSandboxStats;
import dev.vertlet.host.files.Workers;
import dev.vertlet.model.status.ContainerStateView.Running;
import dev.vertlet.provider.node.NodeUsage;
import dev.vertlet.provider.node.NodeUsage.ContainerUsage;
import dev.vertlet.provider.node.NodeUsage.Disk;
import dev.vertlet.provider.node.NodeUsage.PodUsage;
import io.vertx.core.Future;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Measures nodes and their pods. One measurement of the runtime serves all nodes of the shard.
 * Confined to the shard's loop.
 */
public final class CriStats {
  /** Age up to which a measurement is used again: half of the interval of the kubelet core. */
  private static final Duration FRESH = Duration.ofSeconds(5);

  private final StatsSource source;
  private final Supplier<List<CachedPod>> pods;
  private final Workers workers;
  private final Clock clock;
  private final HostDisks disks;
  private final UsageSamples samples = new UsageSamples();
  private final StatsConverter converter = new StatsConverter(samples);
  private @Nullable Future<Snapshot> newest;
  private Instant newestAt = Instant.MIN;

  /**
   * @param pods that are known
   * @param podsDir whose disk is the nodes' file system
   */
  public CriStats(
      StatsSource source,
      Supplier<List<CachedPod>> pods,
      Workers workers,
      Clock clock,
      Path podsDir) {
    this.source = source;
    this.pods = pods;
    this.workers = workers;
    this.clock = clock;
    this.disks = new HostDisks(podsDir);
  }

  private record Snapshot(
      Instant at, HostDisks.Measured host, Map<String, Map<String, PodUsage>> byNode) {}

  /**
   * Usage of a node.
   *
   * @return fails with a {@link GrpcException} when the runtime cannot be asked, and with an {@link
   *     java.io.IOException} when the host cannot be measured
   */
  public Future<NodeUsage> usage(String node) {
    return snapshot()
        .map(
            measured ->
                new NodeUsage(
                    measured.at(),
                    measured.host().host().memory(),
                    measured.host().nodeFs(),
                    null,
                    measured.host().imageFs(),
                    null,
                    measured.host().pids(),
                    measured.byNode().getOrDefault(node, Map.of()),
                    measured.host().host().stats()));
  }

  private Future<Snapshot> snapshot() {
    Instant now = clock.instant();
    Future<Snapshot> known = newest;
    boolean usable = known != null && !known.failed() && now.isBefore(newestAt.plus(FRESH));
    if (known != null && (usable || !known.isComplete())) {
      return known;
    }
    newestAt = now;
    Future<Snapshot> next =
        ask()
            .compose(
                measurement -> {
                  List<CachedPod> all = pods.get();
                  List<Path> logs = new ArrayList<>();
                  all.forEach(pod -> pod.containers().forEach(one -> logs.add(one.log())));
                  return workers
                      .call(() -> disks.read(now, measurement.imageFilesystems(), logs))
                      .map(host -> new Snapshot(now, host, convert(all, measurement, host.logs())));
                });
    newest = next;
    return next;
  }

  private Future<Measurement> ask() {
    Future<ListContainerStatsResponse> containers = source.containers();
    Future<ListPodSandboxStatsResponse> sandboxes =
        source
            .sandboxes()
            .recover(
                failure ->
                    GrpcException.isUnimplemented(failure)
                        ? Future.succeededFuture(new ListPodSandboxStatsResponse(List.of()))
                        : Future.failedFuture(failure));
    // images are not measured by all runtimes, and limit no container
    Future<ImageFsInfoResponse> images =
        source.images().otherwise(new ImageFsInfoResponse(List.of(), List.of()));
    return Future.all(containers, sandboxes, images)
        .map(
            all ->
                new Measurement(
                    containers.result().stats(),
                    sandboxes.result().stats(),
                    images.result().imageFilesystems()));
  }

  private Map<String, Map<String, PodUsage>> convert(
      List<CachedPod> all, Measurement measurement, Map<Path, Disk> logs) {
    Map<String, ContainerStats> containers = new HashMap<>();
    measurement.containers().forEach(stats -> putMeasured(containers, stats));
    Map<String, LinuxPodSandboxStats> sandboxes = new HashMap<>();
    for (PodSandboxStats stats : measurement.sandboxes()) {
      if (stats.attributes() != null && stats.linux() != null) {
        sandboxes.put(stats.attributes().id(), stats.linux());
        // a runtime may know more here than in its list of containers
        stats.linux().containers().forEach(one -> putMeasured(containers, one));
      }
    }
    Set<String> ids = new HashSet<>(containers.keySet());
    ids.addAll(sandboxes.keySet());
    samples.retain(ids);
    Map<String, Map<String, PodUsage>> byNode = new HashMap<>();
    for (CachedPod pod : all) {
      SandboxState sandbox = pod.sandbox();
      if (sandbox != null) {
        List<ContainerUsage> used = containers(pod, containers, logs);
        byNode
            .computeIfAbsent(pod.node(), name -> new HashMap<>())
            .put(
                pod.ref().uid(),
                converter.pod(
                    sandbox.id(), sandbox.createdAt(), used, sandboxes.get(sandbox.id())));
      }
    }
    return byNode;
  }

  private static void putMeasured(Map<String, ContainerStats> known, ContainerStats stats) {
    if (stats.attributes() != null && StatsConverter.measured(stats)) {
      known.putIfAbsent(stats.attributes().id(), stats);
    }
  }

  private List<ContainerUsage> containers(
      CachedPod pod, Map<String, ContainerStats> measured, Map<Path, Disk> logs) {
    List<ContainerUsage> used = new ArrayList<>();
    for (CachedContainer container : pod.containers()) {
      ContainerStats stats = measured.get(container.id());
      if (stats != null && container.record().state() instanceof Running running) {
        used.add(
            converter.container(
                container.record().name(),
                container.id(),
                running.startedAt(),
                stats,
                logs.getOrDefault(container.log(), Disk.NONE)));
      }
    }
    return used;
  }
}
