package dev.vertlet.cri;

import dev.vertlet.cri.container.CachedContainer;
import dev.vertlet.cri.container.CachedPod;
import dev.vertlet.cri.container.Containers;
import dev.vertlet.cri.container.PodCache;
import dev.vertlet.cri.sandbox.SandboxConfigs;
import dev.vertlet.cri.sandbox.SandboxState;
import dev.vertlet.host.provider.ProviderFailures;
import dev.vertlet.model.PodRef;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.provider.container.ContainerRecord;
import dev.vertlet.provider.container.ContainerStart;
import io.vertx.core.Future;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Containers of the shard's pods by the ids that the kubelet core has of them. */
final class PodContainers {
  private final PodCache cache;
  private final PodSandboxes sandboxes;
  private final Containers containers;

  PodContainers(PodCache cache, PodSandboxes sandboxes, Containers containers) {
    this.cache = cache;
    this.sandboxes = sandboxes;
    this.containers = containers;
  }

  /** Starts an instance; the same attempt is started once. */
  Future<ContainerRecord> start(ContainerStart start) {
    PodView view = start.view();
    CachedPod pod = cache.pod(view.uid());
    SandboxState sandbox = pod == null ? null : pod.sandbox();
    if (pod == null || sandbox == null || pod.stopping()) {
      return ProviderFailures.temporary(
          "SandboxNotFound", "pod " + view.ref().display() + " has no sandbox");
    }
    return sandboxes
        .config(start, sandbox)
        .compose(
            config ->
                containers.start(
                    pod,
                    sandbox,
                    new Containers.Order(
                        start, config, SandboxConfigs.furtherGroups(config, start.pod()))))
        .map(CachedContainer::record);
  }

  /** Ends a container; nothing to do for one that is unknown or has ended. */
  Future<Void> stop(PodRef ref, String containerId, Duration grace) {
    CachedPod pod = cache.pod(ref.uid());
    CachedContainer container = pod == null ? null : pod.container(containerId);
    return pod == null || container == null || container.ended()
        ? Future.succeededFuture()
        : containers.stop(pod, container, grace);
  }

  /** Removes an ended container with its log; nothing to do for one that is unknown. */
  Future<Void> remove(PodRef ref, String containerId) {
    CachedPod pod = cache.pod(ref.uid());
    CachedContainer container = pod == null ? null : pod.container(containerId);
    if (pod == null || container == null) {
      return Future.succeededFuture();
    }
    return container.ended()
        ? containers.remove(pod, container)
        : ProviderFailures.temporary(
            "RemoveContainerError", "container " + containerId + " has not ended");
  }

  /** Path of a container's log; null for one that is unknown. */
  @Nullable Path log(PodRef ref, String containerId) {
    CachedPod pod = cache.pod(ref.uid());
    CachedContainer container = pod == null ? null : pod.container(containerId);
    return container == null ? null : container.log();
  }

  /** Returns a container that runs; null if it is unknown or does not run. */
  @Nullable CachedContainer running(String uid, String containerId) {
    CachedPod pod = cache.pod(uid);
    CachedContainer container = pod == null ? null : pod.container(containerId);
    return container != null && container.record().running() ? container : null;
  }
}
