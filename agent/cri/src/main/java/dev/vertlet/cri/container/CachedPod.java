package dev.vertlet.cri.container;

import dev.vertlet.cri.sandbox.SandboxState;
import dev.vertlet.model.PodRef;
import dev.vertlet.provider.container.ContainerRecord;
import dev.vertlet.provider.container.RuntimePod;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A pod as the runtime was last seen to have it. Confined to the shard's loop. */
public final class CachedPod {
  private final PodRef ref;
  private final String node;
  private final Map<String, CachedContainer> containers = new LinkedHashMap<>();
  private final Map<String, SandboxState> sandboxes = new LinkedHashMap<>();
  private @Nullable String current;
  private long currentSince;
  private boolean stopping;
  private int starts;

  CachedPod(PodRef ref, String node) {
    this.ref = ref;
    this.node = node;
  }

  public PodRef ref() {
    return ref;
  }

  public String node() {
    return node;
  }

  /** The sandbox that containers are started in; null if there is none. */
  public @Nullable SandboxState sandbox() {
    return current == null ? null : sandboxes.get(current);
  }

  /** All sandboxes, also those that are over. */
  public List<SandboxState> sandboxes() {
    return new ArrayList<>(sandboxes.values());
  }

  /** Number of the relist during which the sandbox was last seen. */
  long sandboxSeen() {
    return currentSince;
  }

  /** Makes a sandbox the one that containers are started in. */
  void enter(SandboxState sandbox, long seen) {
    sandboxes.put(sandbox.id(), sandbox);
    current = sandbox.id();
    currentSince = seen;
  }

  /** Leaves the sandbox that containers were started in. */
  public void leave() {
    SandboxState left = sandbox();
    if (left != null) {
      sandboxes.put(left.id(), left.stopped());
    }
    current = null;
  }

  /** Replaces what is known of the sandboxes other than the current one. */
  void others(List<SandboxState> listed) {
    SandboxState kept = sandbox();
    sandboxes.clear();
    listed.forEach(sandbox -> sandboxes.put(sandbox.id(), sandbox));
    if (kept != null) {
      sandboxes.put(kept.id(), kept);
    }
  }

  public void forgetSandbox(String id) {
    sandboxes.remove(id);
  }

  /** Whether its sandbox is being stopped, or was: its end is no news. */
  public boolean stopping() {
    return stopping;
  }

  public void stopping(boolean now) {
    stopping = now;
  }

  /** Whether a sandbox or container is being made: the pod must not be forgotten. */
  public boolean starting() {
    return starts > 0;
  }

  /** Counts the starts that are under way, 1 more or 1 less. */
  public void starting(int more) {
    starts += more;
  }

  /** Returns a container by its id with or without scheme; null if there is none. */
  public @Nullable CachedContainer container(String id) {
    int scheme = id.indexOf("://");
    return containers.get(scheme < 0 ? id : id.substring(scheme + 3));
  }

  @Nullable CachedContainer container(String name, int attempt) {
    for (CachedContainer container : containers.values()) {
      ContainerRecord record = container.record();
      if (record.name().equals(name) && record.attempt() == attempt) {
        return container;
      }
    }
    return null;
  }

  /** Returns the newest running container of a name; null if there is none. */
  @Nullable CachedContainer running(String name) {
    CachedContainer newest = null;
    for (CachedContainer container : containers.values()) {
      if (container.record().name().equals(name) && container.record().running()) {
        newest = container;
      }
    }
    return newest;
  }

  public List<CachedContainer> containers() {
    return new ArrayList<>(containers.values());
  }

  void put(CachedContainer container) {
    containers.put(container.id(), container);
  }

  void remove(String id) {
    containers.remove(id);
  }

  /** The pod as the kubelet core knows it. */
  public RuntimePod view() {
    SandboxState sandbox = sandbox();
    return new RuntimePod(
        ref,
        node,
        sandbox == null ? null : sandbox.record(),
        containers.values().stream().map(CachedContainer::record).toList());
  }
}
