package dev.vertlet.cri.container;

import dev.vertlet.cri.sandbox.LogPaths;
import dev.vertlet.cri.sandbox.SandboxState;
import dev.vertlet.cri.wire.ContainerMessages.ContainerStatus;
import dev.vertlet.model.PodRef;
import dev.vertlet.model.status.ContainerStateView.Terminated;
import dev.vertlet.provider.container.ContainerRecord;
import dev.vertlet.provider.container.ContainerRuntime.RuntimeListener;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What the runtime was last seen to have of the pods of this shard's nodes. Tells the listener of
 * changes; a container that has ended stays ended. Confined to the shard's loop.
 */
public final class PodCache {
  private final Map<String, CachedPod> pods = new HashMap<>();
  private final Set<String> nodes = new HashSet<>();
  private final RuntimeListener listener;
  private final LogPaths logs;
  private final Predicate<String> abandoned;
  private String scheme = "";
  private long relists;

  /**
   * @param abandoned whether pods of a node that is not served are to be known, too, so that they
   *     are ended
   */
  public PodCache(RuntimeListener listener, LogPaths logs, Predicate<String> abandoned) {
    this.listener = listener;
    this.logs = logs;
    this.abandoned = abandoned;
  }

  /** Sets the scheme of ids, for example {@code containerd}, before the first container is seen. */
  void scheme(String name) {
    scheme = name.isEmpty() ? "cri" : name;
  }

  /** Whether the scheme is known. */
  boolean isNamed() {
    return !scheme.isEmpty();
  }

  /** Begins to serve a node. */
  public void serve(String node) {
    nodes.add(node);
  }

  boolean serves(@Nullable String node) {
    return node != null && (nodes.contains(node) || abandoned.test(node));
  }

  /** Forgets a node with its pods. */
  public void release(String node) {
    nodes.remove(node);
    pods.values().removeIf(pod -> pod.node().equals(node));
  }

  /** Returns a pod by its UID; null if it is not known. */
  public @Nullable CachedPod pod(String uid) {
    return pods.get(uid);
  }

  /** Returns a pod, and begins to know it. */
  public CachedPod pod(PodRef ref, String node) {
    return pods.computeIfAbsent(ref.uid(), uid -> new CachedPod(ref, node));
  }

  public List<CachedPod> pods() {
    return new ArrayList<>(pods.values());
  }

  /** Forgets a pod. */
  public void forget(CachedPod pod) {
    pods.remove(pod.ref().uid(), pod);
  }

  /** Returns the pod of a container; null if it is not known. */
  @Nullable CachedPod podOf(String containerId) {
    for (CachedPod pod : pods.values()) {
      if (pod.container(containerId) != null) {
        return pod;
      }
    }
    return null;
  }

  /** Whether an id is that of a sandbox of a known pod. */
  boolean hasSandbox(String id) {
    return pods.values().stream()
        .map(CachedPod::sandbox)
        .anyMatch(sandbox -> sandbox != null && sandbox.id().equals(id));
  }

  /** Number of the newest relist that has begun. */
  long relists() {
    return relists;
  }

  long beginRelist() {
    return ++relists;
  }

  /** Makes a sandbox the one that containers of a pod are started in. */
  public void enter(CachedPod pod, SandboxState sandbox) {
    pod.enter(sandbox, relists);
    pod.stopping(false);
  }

  /**
   * Takes a container's status, and tells the listener if its state has changed.
   *
   * @param sandbox id of its sandbox
   */
  CachedContainer take(CachedPod pod, String sandbox, ContainerStatus status) {
    ContainerRecord record = ContainerRecords.of(scheme, status);
    CachedContainer before = pod.container(status.id());
    if (before != null && (before.ended() || before.record().equals(record))) {
      CachedContainer seen = before.seen(relists);
      pod.put(seen);
      return seen;
    }
    CachedContainer now =
        before == null
            ? new CachedContainer(status.id(), sandbox, record, log(pod, record, status), relists)
            : before.with(record, relists);
    pod.put(now);
    listener.containerChanged(pod.ref(), record);
    return now;
  }

  private Path log(CachedPod pod, ContainerRecord record, ContainerStatus status) {
    return status.logPath().startsWith("/")
        ? Path.of(status.logPath())
        : logs.container(pod.ref(), record.name(), record.attempt());
  }

  /** Ends a container that the runtime has no longer. */
  void lost(CachedPod pod, CachedContainer container) {
    if (container.ended()) {
      pod.remove(container.id());
      return;
    }
    Terminated end = ContainerRecords.lost(container.record().id(), null);
    ContainerRecord record = container.record().withState(end);
    pod.put(container.with(record, relists));
    listener.containerChanged(pod.ref(), record);
  }

  /** Leaves a sandbox that has died. */
  void sandboxLost(CachedPod pod) {
    boolean wanted = !pod.stopping();
    pod.leave();
    if (wanted) {
      listener.sandboxLost(pod.ref());
    }
  }
}
