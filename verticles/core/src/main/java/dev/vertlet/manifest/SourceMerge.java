package dev.vertlet.manifest;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Compares the content of each source of one node with its previous content. Pure except for its
 * own fields.
 *
 * <p>Manifests cause three of a kubelet's five operations. DELETE and RECONCILE need an object with
 * a deletion timestamp and a status, which only the API server keeps: the watch delivers the newest
 * version, and the pod's mailbox and its status entry compare it.
 */
final class SourceMerge {
  /** A change of a source. */
  sealed interface Change {
    /** The source has a new UID. */
    record Add(StaticPod pod) implements Change {}

    /** Spec, labels or annotations of a pod differ. */
    record Update(StaticPod pod) implements Change {}

    /** The source no longer has the UID. */
    record Remove(StaticPod pod) implements Change {}
  }

  /** Annotations that the agent writes itself, which are not compared. */
  private static final Set<String> LOCAL =
      Set.of(StaticPod.SOURCE, StaticPod.MIRROR, StaticPod.SEEN);

  private final Map<String, Map<String, StaticPod>> sources = new HashMap<>();

  /** Whether this source has been read, even without pods. */
  boolean seen(String source) {
    return sources.containsKey(source);
  }

  /**
   * Replaces the pods of a source.
   *
   * @return removals first: an added pod may need the name of a removed one
   */
  List<Change> set(String source, List<StaticPod> pods) {
    Map<String, StaticPod> before = sources.getOrDefault(source, Map.of());
    Map<String, StaticPod> after = new LinkedHashMap<>();
    List<Change> removed = new ArrayList<>();
    List<Change> others = new ArrayList<>();
    for (StaticPod pod : pods) {
      String uid = pod.view().uid();
      StaticPod known = before.get(uid);
      if (known != null && known.fullName().equals(pod.fullName())) {
        StaticPod kept = differ(known, pod) ? pod : known;
        after.put(uid, kept);
        if (kept != known) {
          others.add(new Change.Update(kept));
        }
      } else if (after.putIfAbsent(uid, pod) == null) {
        if (known != null) {
          removed.add(new Change.Remove(known));
        }
        others.add(new Change.Add(pod));
      }
    }
    before.forEach(
        (uid, known) -> {
          if (!after.containsKey(uid)) {
            removed.add(new Change.Remove(known));
          }
        });
    sources.put(source, after);
    removed.addAll(others);
    return removed;
  }

  private static boolean differ(StaticPod known, StaticPod newer) {
    return known != newer
        && (known.view().spec().hash() != newer.view().spec().hash()
            || !known.view().labels().equals(newer.view().labels())
            || !own(known).equals(own(newer)));
  }

  private static Map<String, String> own(StaticPod pod) {
    Map<String, String> annotations = new TreeMap<>(pod.view().annotations());
    annotations.keySet().removeAll(LOCAL);
    return annotations;
  }
}
