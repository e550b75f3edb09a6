package dev.vertlet.cri.container;

import dev.vertlet.cri.sandbox.SandboxState;
import dev.vertlet.model.PodRef;
import dev.vertlet.model.status.ContainerStateView;
import dev.vertlet.provider.container.ContainerRecord;
import java.nio.file.Path;
import java.util.List;

/** Pods as a runtime would have been seen to have them, for tests. */
public final class KnownPods {
  private KnownPods() {}

  /** A pod with a sandbox. */
  public static CachedPod pod(String uid, String node, String sandbox) {
    CachedPod pod = new CachedPod(new PodRef("default", "name-" + uid, uid), node);
    pod.enter(new SandboxState(sandbox, 0, true, 5_000_000_000L, List.of("10.0.0.1")), 1);
    return pod;
  }

  /** Adds a container of the pod's sandbox, whose name is its id. */
  public static void add(CachedPod pod, String id, Path log, ContainerStateView state) {
    ContainerRecord record =
        new ContainerRecord("containerd://" + id, id, 0, "image", "id", state, null, null, null);
    pod.put(new CachedContainer(id, "sandbox", record, log, 1));
  }
}
