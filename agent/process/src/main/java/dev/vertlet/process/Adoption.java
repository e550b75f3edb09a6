package dev.vertlet.process;

import dev.vertlet.host.files.Workers;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.provider.container.RuntimePod;
import io.vertx.core.Future;
import java.nio.file.Files;
import java.util.List;
import java.util.Optional;

/**
 * Adopts pods of an earlier agent with their running and ended containers, and releases pods to a
 * later one. Used by the shard's loop alone.
 */
final class Adoption {
  private final Workers workers;
  private final HeldPods pods;
  private final Launcher launcher;
  private final InstanceWatcher watcher;

  Adoption(Workers workers, HeldPods pods, Launcher launcher, InstanceWatcher watcher) {
    this.workers = workers;
    this.pods = pods;
    this.launcher = launcher;
    this.watcher = watcher;
  }

  /** Takes a pod as it was found on disk. */
  HeldPod adopt(Launcher.KnownPod found) {
    HeldPod pod = new HeldPod(found.stored());
    pods.add(pod);
    for (Launcher.Known known : found.containers()) {
      Instance instance = new Instance(found.stored().ref(), known.stored(), known.directory());
      pod.add(instance);
      instance.take(known);
      instance.start().complete(instance.record());
      if (instance.running()) {
        watcher.watch(instance);
      } else {
        watcher.over(instance);
      }
    }
    return pod;
  }

  /** Returns a pod, read from disk if the runtime does not have it yet. */
  Future<Optional<RuntimePod>> restore(PodView pod) {
    HeldPod held = pods.get(pod.uid());
    if (held != null) {
      return Future.succeededFuture(Optional.of(held.view()));
    }
    return workers
        .call(() -> Optional.ofNullable(launcher.find(pod.ref())))
        .map(
            found -> {
              HeldPod there = pods.get(pod.uid());
              return there != null
                  ? Optional.of(there.view())
                  : found.map(known -> adopt(known).view());
            });
  }

  /** Returns all pods. Drops those whose directories went with their objects. */
  Future<List<RuntimePod>> list() {
    watcher.removeLeftCgroups();
    List<HeldPod> over = pods.all().stream().filter(pod -> pod.stored().sandbox() == null).toList();
    return workers
        .call(() -> over.stream().filter(this::gone).toList())
        .map(
            gone -> {
              gone.forEach(pods::remove);
              return pods.all().stream().map(HeldPod::view).toList();
            });
  }

  private boolean gone(HeldPod pod) {
    return !Files.exists(launcher.directories().pod(pod.stored().ref().uid()));
  }

  /** Lets the containers of a node run on without this agent. */
  void release(String node) {
    for (HeldPod pod : pods.all()) {
      if (pod.stored().node().equals(node)) {
        pod.instances().forEach(Instance::forget);
        pods.remove(pod);
      }
    }
  }
}
