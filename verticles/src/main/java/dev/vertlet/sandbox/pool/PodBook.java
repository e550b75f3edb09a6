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
 * The newest that is known of each pod, from the watch or from an own write, whichever came first.
 * Pure but for its own fields.
 */
final class PodBook {
  /** Answers of own writes may arrive after the deletion; no request takes longer than that. */
  private static final int MOST_GONE = 4096;

  private final SandboxNames names;
  private final Map<String, PodObject> byUid = new LinkedHashMap<>();
  private final Map<String, String> uidBySandbox = new HashMap<>();
  private final Map<String, String> told = new HashMap<>();
  private final Set<String> gone = new LinkedHashSet<>();

  PodBook(SandboxNames names) {
    this.names = names;
  }

  /** Whether this is news. */
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
   * The claimer was told of this pod, and of no other one.
   *
   * @return another pod with the same claim
   */
  Optional<PodObject> tell(String id, String uid) {
    told.put(id, uid);
    String before = uidBySandbox.put(id, uid);
    return before == null || before.equals(uid) ? Optional.empty() : get(before);
  }

  /**
   * Whether the claimer was told of another pod: the write of a process that ended got through
   * after the next one was asked again. Which of two a process before told of nobody knows: then
   * none is.
   */
  boolean isDuplicate(PodObject pod) {
    String other = told.get(sandbox(pod));
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
      told.remove(sandbox(known), known.uid());
    }
  }

  Optional<PodObject> get(String uid) {
    return Optional.ofNullable(byUid.get(uid));
  }

  Optional<PodObject> ofSandbox(String id) {
    return Optional.ofNullable(uidBySandbox.get(id)).flatMap(this::get);
  }

  /** Empty for a pod that nobody has. */
  String sandbox(PodObject pod) {
    return PodTree.label(pod.tree(), names.id());
  }

  Collection<PodObject> all() {
    return byUid.values();
  }
}
