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
 * The static pods of one node, out of all its sources: which run, which end, and which wait because
 * a pod of their name or UID has to end first. Pure but for its own fields.
 *
 * <pre>
 *   waiting -> running -> ending -> gone        by UID; the same UID may come again
 * </pre>
 */
public final class StaticPods {
  /** What has to follow. */
  public sealed interface Effect {
    /** The pod is new, or changed. */
    record Run(StaticPod pod) implements Effect {}

    /** The pod ends now, with its own grace: it carries the time of its deletion. */
    record End(StaticPod pod) implements Effect {}

    /** The pod has ended, and nothing is left to be said about it. */
    record Forget(StaticPod pod) implements Effect {}
  }

  private Set<String> configured;
  private final SourceMerge merge = new SourceMerge();

  /** Running and ending ones, by UID. */
  private final Map<String, StaticPod> holders = new LinkedHashMap<>();

  /** Full names of these: no two have the same. */
  private final Set<String> names = new HashSet<>();

  private final Set<String> ending = new HashSet<>();

  /** First come, first served. */
  private final List<StaticPod> waiting = new ArrayList<>();

  /**
   * @param configured the sources that have to be heard before anything unknown may be ended
   */
  public StaticPods(Set<String> configured) {
    this.configured = Set.copyOf(configured);
  }

  /** From now on these are the sources; of another one {@link #set} says that it holds nothing. */
  public void configure(Set<String> sources) {
    configured = Set.copyOf(sources);
  }

  /** Whether every configured source was heard at least once. */
  public boolean allSeen() {
    return configured.stream().allMatch(merge::seen);
  }

  /** Running and ending ones. */
  public Collection<StaticPod> held() {
    return List.copyOf(holders.values());
  }

  /** Whether the pod of this UID is being ended. */
  public boolean ending(String uid) {
    return ending.contains(uid);
  }

  /**
   * A source holds these pods and no others.
   *
   * @param now when they were first seen, if they are new
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

  /** A pod that was to end has ended. */
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
