package dev.vertlet.manifest;

import dev.vertlet.manifest.SourceMerge.Change;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The static pods of one node, from all its sources: running, ending, and waiting ones, for which a
 * pod of the same name or UID must end first. Pure except for its own fields.
 *
 * <pre>
 *   waiting -> running -> ending -> gone        by UID; a UID may occur again
 * </pre>
 */
public final class StaticPods {
  /** Effect of a change. */
  public sealed interface Effect {
    /** The pod is new, or has changed. */
    record Run(StaticPod pod) implements Effect {}

    /** The pod ends now, with its own grace period: it has a deletion timestamp. */
    record End(StaticPod pod) implements Effect {}

    /** The pod has ended and is forgotten. */
    record Forget(StaticPod pod) implements Effect {}
  }

  private Set<String> configured;
  private final SourceMerge merge = new SourceMerge();

  /** Running and ending pods, by UID. */
  private final Map<String, StaticPod> holders = new LinkedHashMap<>();

  /** Full names of these pods; unique. */
  private final Set<String> names = new HashSet<>();

  private final Set<String> ending = new HashSet<>();

  /** Waiting pods, first come, first served. */
  private final List<StaticPod> waiting = new ArrayList<>();

  /**
   * Creates an empty set.
   *
   * @param configured sources that must have been read before unknown pods may be ended
   */
  public StaticPods(Set<String> configured) {
    this.configured = Set.copyOf(configured);
  }

  /** Replaces the sources; call {@link #set} with an empty list for a removed one. */
  public void configure(Set<String> sources) {
    configured = Set.copyOf(sources);
  }

  /** Whether every configured source was read at least once. */
  public boolean allSeen() {
    return configured.stream().allMatch(merge::seen);
  }

  /** Running and ending pods. */
  public Collection<StaticPod> held() {
    return List.copyOf(holders.values());
  }

  /** Whether the pod of this UID is being ended. */
  public boolean ending(String uid) {
    return ending.contains(uid);
  }

  /**
   * Replaces the pods of a source.
   *
   * @param now time at which new pods were first seen
   */
  public List<Effect> set(String source, List<StaticPod> pods, Instant now) {
    List<Effect> effects = new ArrayList<>();
    for (Change change : merge.set(source, pods)) {
      if (change instanceof Change.Add add) {
        waiting.add(add.pod().seen(now));
      } else if (change instanceof Change.Update update) {
        updated(update.pod(), effects);
      } else if (change instanceof Change.Remove remove) {
        removed(remove.pod(), now, effects);
      }
    }
    admit(effects);
    return effects;
  }

  private void updated(StaticPod pod, List<Effect> effects) {
    String uid = pod.view().uid();
    for (int i = 0; i < waiting.size(); i++) {
      StaticPod waits = waiting.get(i);
      if (waits.view().uid().equals(uid)) {
        waiting.set(i, pod.seenAs(waits));
        return;
      }
    }
    StaticPod held = holders.get(uid);
    if (held != null && !ending.contains(uid)) {
      StaticPod kept = pod.seenAs(held);
      holders.put(uid, kept);
      effects.add(new Effect.Run(kept));
    }
  }

  private void removed(StaticPod pod, Instant now, List<Effect> effects) {
    String uid = pod.view().uid();
    if (waiting.removeIf(waits -> same(waits, pod))) {
      return;
    }
    StaticPod held = holders.get(uid);
    if (held != null && same(held, pod) && ending.add(uid)) {
      effects.add(new Effect.End(held.ending(now)));
    }
  }

  private static boolean same(StaticPod a, StaticPod b) {
    return a.view().uid().equals(b.view().uid()) && a.source().equals(b.source());
  }

  /** An ending pod has ended. */
  public List<Effect> ended(String uid) {
    StaticPod pod = ending.remove(uid) ? holders.remove(uid) : null;
    if (pod == null) {
      return List.of();
    }
    names.remove(pod.fullName());
    List<Effect> effects = new ArrayList<>();
    effects.add(new Effect.Forget(pod));
    admit(effects);
    return effects;
  }

  private void admit(List<Effect> effects) {
    List<StaticPod> still = new ArrayList<>();
    for (StaticPod pod : waiting) {
      if (!holders.containsKey(pod.view().uid()) && names.add(pod.fullName())) {
        holders.put(pod.view().uid(), pod);
        effects.add(new Effect.Run(pod));
      } else {
        still.add(pod);
      }
    }
    waiting.clear();
    waiting.addAll(still);
  }
}
