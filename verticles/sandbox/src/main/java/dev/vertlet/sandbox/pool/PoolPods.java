package dev.vertlet.sandbox.pool;

import dev.vertlet.sandbox.PodTree;
import dev.vertlet.sandbox.SandboxNames;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The newest version of each pod, from the watch or from an own write. Pure except for its own
 * fields.
 */
final class PoolPods {
  /**
   * Deleted UIDs to remember: answers of own writes may arrive after the deletion, within a
   * request's timeout.
   */
  private static final int MOST_GONE = 4096;

  private final SandboxNames names;
  private final Map<String, PodObject> byUid = new LinkedHashMap<>();
  private final Map<String, String> uidBySandbox = new HashMap<>();
  private final Map<String, String> returned = new HashMap<>();
  private final Set<String> gone = new LinkedHashSet<>();

  PoolPods(SandboxNames names) {
    this.names = names;
  }

  /** Stores a version of a pod; returns whether it is newer than the known one. */
  boolean put(PodObject pod) {
    PodObject known = byUid.get(pod.uid());
    if (gone.contains(pod.uid())
        || known != null && known.resourceVersion() >= pod.resourceVersion()) {
      return false;
    }
    String id = sandbox(pod);
    if (known != null && !sandbox(known).equals(id)) {
      forgetSandbox(known);
    }
    byUid.put(pod.uid(), pod);
    if (!id.isEmpty()) {
      uidBySandbox.putIfAbsent(id, pod.uid());
    }
    return true;
  }

  /**
   * Records that this pod was returned for a claim.
   *
   * @return another pod with the same claim
   */
  Optional<PodObject> returned(String id, String uid) {
    returned.put(id, uid);
    String before = uidBySandbox.put(id, uid);
    return before == null || before.equals(uid) ? Optional.empty() : get(before);
  }

  /**
   * Whether another pod was returned for this claim: the write of an earlier process succeeded
   * after the claim was requested again from this one. If an earlier process returned one of the
   * two, this process does not know which, so neither is a duplicate.
   */
  boolean isDuplicate(PodObject pod) {
    String other = returned.get(sandbox(pod));
    return other != null && !other.equals(pod.uid());
  }

  Optional<PodObject> remove(String uid) {
    gone.add(uid);
    if (gone.size() > MOST_GONE) {
      gone.remove(gone.iterator().next());
    }
    PodObject known = byUid.remove(uid);
    forgetSandbox(known);
    return Optional.ofNullable(known);
  }

  private void forgetSandbox(@Nullable PodObject known) {
    if (known != null) {
      uidBySandbox.remove(sandbox(known), known.uid());
      returned.remove(sandbox(known), known.uid());
    }
  }

  Optional<PodObject> get(String uid) {
    return Optional.ofNullable(byUid.get(uid));
  }

  Optional<PodObject> ofSandbox(String id) {
    return Optional.ofNullable(uidBySandbox.get(id)).flatMap(this::get);
  }

  /** Id of the pod's claim, empty without one. */
  String sandbox(PodObject pod) {
    return PodTree.label(pod.tree(), names.id());
  }

  Collection<PodObject> all() {
    return byUid.values();
  }
}
