package dev.vertlet.cri.cgroup;

import dev.vertlet.cri.sandbox.PodCgroups;
import dev.vertlet.cri.wire.CommonMessages.LinuxContainerResources;
import dev.vertlet.cri.wire.CommonMessages.UInt64Value;
import dev.vertlet.cri.wire.ContainerMessages.UpdateContainerResourcesRequest;
import dev.vertlet.cri.wire.GrpcException;
import dev.vertlet.cri.wire.StatsMessages.ContainerStats;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.provider.failure.ProviderException;
import dev.vertlet.provider.failure.ProviderException.Kind;
import io.vertx.core.Future;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Changes resources of running containers: the pod's group grows before, and shrinks after them.
 * Changes of one pod happen one after another. Confined to the shard's loop.
 */
public final class ContainerResizes {
  private final PodCgroups cgroups;
  private final Function<UpdateContainerResourcesRequest, Future<?>> update;
  private final Function<String, Future<List<ContainerStats>>> measure;
  private final Map<String, Future<Void>> newest = new HashMap<>();

  /**
   * @param update has the runtime change a container
   * @param measure measures a container by its id
   */
  public ContainerResizes(
      PodCgroups cgroups,
      Function<UpdateContainerResourcesRequest, Future<?>> update,
      Function<String, Future<List<ContainerStats>>> measure) {
    this.cgroups = cgroups;
    this.update = update;
    this.measure = measure;
  }

  /**
   * A change.
   *
   * @param pod with its newest resources
   * @param name of the container
   * @param id of the container, without scheme
   */
  public record Change(PodView pod, String name, String id, LinuxContainerResources resources) {}

  /**
   * Changes a container. A change waits for earlier ones of its pod: of two the later one counts.
   *
   * @return fails with a {@link ProviderException}: the container keeps what it has
   */
  public Future<Void> change(Change change) {
    String uid = change.pod().uid();
    Future<Void> before = newest.getOrDefault(uid, Future.succeededFuture());
    Future<Void> now = before.transform(ended -> perform(change));
    newest.put(uid, now);
    return now.onComplete(ended -> newest.remove(uid, now));
  }

  private Future<Void> perform(Change change) {
    return refuseBelowUsage(change)
        .compose(allowed -> cgroups.grow(change.pod()))
        .compose(
            grown ->
                update.apply(
                    new UpdateContainerResourcesRequest(change.id(), change.resources(), Map.of())))
        .compose(updated -> cgroups.limit(change.pod()))
        .recover(
            failure ->
                Future.failedFuture(
                    failure instanceof ProviderException
                        ? failure
                        : new ProviderException(
                            Kind.TEMPORARY, "ResizeError", GrpcException.description(failure))));
  }

  /** With cgroup v2 the kernel would kill the container; v1 refuses. In a kubelet's words. */
  private Future<Void> refuseBelowUsage(Change change) {
    long limit = change.resources().memoryLimitInBytes();
    if (limit <= 0) {
      return Future.succeededFuture();
    }
    return measure
        .apply(change.id())
        .otherwise(List.of()) // the kernel decides
        .compose(
            measured -> {
              long usage = measured.stream().mapToLong(ContainerResizes::usage).max().orElse(0);
              return usage <= limit
                  ? Future.succeededFuture()
                  : Future.failedFuture(
                      new ProviderException(
                          Kind.TEMPORARY,
                          "ResizeError",
                          ("cannot decrease memory limits: attempting to set container \"%s\""
                                  + " memory limit (%d) below current usage (%d)")
                              .formatted(change.name(), limit, usage)));
            });
  }

  /** What the kernel cannot take back without killing: without caches, where that is known. */
  private static long usage(ContainerStats stats) {
    if (stats.memory() == null) {
      return 0;
    }
    UInt64Value workingSet = stats.memory().workingSetBytes();
    return workingSet == null ? 0 : Math.max(0, workingSet.value());
  }
}
