package dev.vertlet.cri;

import dev.vertlet.cri.container.CachedContainer;
import dev.vertlet.cri.container.CachedPod;
import dev.vertlet.cri.container.PodCache;
import dev.vertlet.cri.sandbox.LogPaths;
import dev.vertlet.cri.sandbox.PodCgroups;
import dev.vertlet.cri.sandbox.SandboxState;
import dev.vertlet.cri.sandbox.Sandboxes;
import dev.vertlet.host.files.Directories;
import dev.vertlet.host.files.Workers;
import io.vertx.core.Future;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes what is left of pods that are over. The containers and logs of a pod stay until its
 * directory is gone, which vertlet deletes when the pod's object is; a former sandbox of a pod
 * stays until its containers were removed. Confined to the shard's loop.
 */
final class PodRemoval {
  private static final Logger LOG = LoggerFactory.getLogger(PodRemoval.class);

  private final PodCache cache;
  private final Sandboxes sandboxes;
  private final PodCgroups cgroups;
  private final LogPaths logs;
  private final Path podsDir;
  private final Workers workers;
  private final Set<String> busy = new HashSet<>();

  PodRemoval(
      PodCache cache,
      Sandboxes sandboxes,
      PodCgroups cgroups,
      LogPaths logs,
      Path podsDir,
      Workers workers) {
    this.cache = cache;
    this.sandboxes = sandboxes;
    this.cgroups = cgroups;
    this.logs = logs;
    this.podsDir = podsDir;
    this.workers = workers;
  }

  /** Removes what can be removed now; failures are left to the next time. */
  void sweep() {
    List<CachedPod> over = new ArrayList<>();
    for (CachedPod pod : cache.pods()) {
      if (pod.sandbox() == null && !pod.starting() && !busy.contains(pod.ref().uid())) {
        over.add(pod);
      }
      removeEmptySandboxes(pod);
    }
    if (over.isEmpty()) {
      return;
    }
    workers
        .call(
            () ->
                over.stream()
                    .filter(pod -> !Files.exists(podsDir.resolve(pod.ref().uid())))
                    .toList())
        .onSuccess(gone -> gone.forEach(this::remove));
  }

  private void removeEmptySandboxes(CachedPod pod) {
    SandboxState current = pod.sandbox();
    for (SandboxState sandbox : pod.sandboxes()) {
      boolean empty = pod.containers().stream().noneMatch(c -> c.sandbox().equals(sandbox.id()));
      // the last one tells after a restart that the pod has had a sandbox
      boolean former = current != null && !sandbox.id().equals(current.id());
      if (former && empty && !pod.starting() && busy.add(sandbox.id())) {
        sandboxes
            .remove(sandbox.id())
            .onSuccess(removed -> pod.forgetSandbox(sandbox.id()))
            .onFailure(failure -> log(pod, failure))
            .onComplete(done -> busy.remove(sandbox.id()));
      }
    }
  }

  private void remove(CachedPod pod) {
    String uid = pod.ref().uid();
    if (pod.sandbox() != null || pod.starting() || !busy.add(uid)) {
      return;
    }
    Set<String> ids = new HashSet<>();
    pod.sandboxes().forEach(sandbox -> ids.add(sandbox.id()));
    pod.containers().stream().map(CachedContainer::sandbox).forEach(ids::add);
    Future.join(ids.stream().map(sandboxes::remove).toList())
        .compose(removed -> cgroups.remove(uid))
        .compose(removed -> workers.run(() -> Directories.delete(logs.pod(pod.ref()))))
        .onSuccess(removed -> cache.forget(pod))
        .onFailure(failure -> log(pod, failure))
        .onComplete(done -> busy.remove(uid));
  }

  private static void log(CachedPod pod, Throwable failure) {
    LOG.atDebug()
        .addKeyValue("pod", pod.ref().display())
        .setCause(failure)
        .log("what is left of a pod could not be removed; it is tried again");
  }
}
