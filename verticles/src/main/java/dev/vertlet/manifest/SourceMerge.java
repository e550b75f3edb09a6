package dev.vertlet.manifest;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Compares what each source of one node holds now with what it held before. Pure but for its own
 * fields.
 *
 * <p>Of a kubelet's five operations these are the three that manifests can cause. DELETE and
 * RECONCILE need an object with a deletion time and a status, which only the API server keeps:
 * there the watch brings the newest state, and the pod's mailbox and its status entry see the
 * difference.
 */
final class SourceMerge {
  /** What a source did. */
  sealed interface Change {
    /** A UID the source did not hold. */
    record Add(StaticPod pod) implements Change {}

    /** Spec, labels or annotations of a pod differ. */
    record Update(StaticPod pod) implements Change {}

    /** The source holds the UID no longer. */
    record Remove(StaticPod pod) implements Change {}
  }

  /** What the agent itself writes into a pod is no change of it. */
  private static final Set<String> LOCAL =
      Set.of(StaticPod.SOURCE, StaticPod.MIRROR, StaticPod.SEEN);

  private final Map<String, Map<String, StaticPod>> sources = new HashMap<>();

  /** Whether this source was heard, if only to say that it holds nothing. */
  boolean seen(String source) {
    return sources.containsKey(source);
  }

  /**
   * The source holds these and no others.
   *
   * @return removals first: what is added may need a name that is given up
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
