package dev.vertlet.harness.replay.life;

import dev.vertlet.harness.replay.plan.Recording;
import dev.vertlet.harness.replay.plan.ReplayLabels;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.trace.PodLife;
import dev.vertlet.trace.WorkloadRef;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Gives each replayed pod the life of a recorded sibling: of the same workload, template and index,
 * in order of creation, each as often as the scale says. A pod beyond those gets one drawn from the
 * lives of its template, else of its workload. Thread-safe: shards share it.
 */
public final class LifeBook {
  /** How a pod's life was found. */
  public enum Match {
    /** The next recorded sibling. */
    SIBLING,
    /** Drawn from the recorded pods of the template. */
    TEMPLATE,
    /** Drawn from the recorded pods of the workload. */
    WORKLOAD,
    /** The recording has no pod of the workload that ran. */
    NONE
  }

  private static final String COMPLETION_INDEX = "batch.kubernetes.io/job-completion-index";

  private final Recording recording;
  private final int scale;
  private final SplittableRandom random;
  private final Map<WorkloadRef, Siblings> siblings = new HashMap<>();

  /** Lives by UID of the pod; null for none. */
  private final Map<String, Found> found = new HashMap<>();

  private final Map<Match, Integer> counts = new EnumMap<>(Match.class);

  private record Found(@Nullable PodLife life) {}

  /** Lives of a workload: all that ran, and those that no pod has had. */
  private record Siblings(List<PodLife> all, LinkedList<PodLife> waiting) {}

  /**
   * @param scale how many pods have the life of one, 1 or more
   * @param seed of draws
   */
  public LifeBook(Recording recording, int scale, long seed) {
    this.recording = recording;
    this.scale = scale;
    this.random = new SplittableRandom(seed);
    for (PodLife life : recording.lives()) {
      if (ended(life)) {
        continue;
      }
      Siblings known =
          siblings.computeIfAbsent(
              life.identity().owner(),
              owner -> new Siblings(new ArrayList<>(), new LinkedList<>()));
      if (life.times().started() != null) {
        known.all.add(life);
      }
      if (life.times().scheduled() != null || life.times().started() != null) {
        for (int copy = 0; copy < scale; copy++) {
          known.waiting.add(life);
        }
      }
    }
  }

  private static boolean ended(PodLife life) {
    Long ended = life.times().ended();
    Long gone = life.times().gone();
    return (ended != null && ended <= 0) || (gone != null && gone <= 0);
  }

  /** Number of pods that run when the recording begins and go on as they are. */
  public int steady() {
    long lives =
        recording.lives().stream()
            .filter(life -> !ended(life) && new PodScript(life, 1).steady())
            .count();
    return (int) Math.min(Integer.MAX_VALUE, lives * scale);
  }

  /** The life of a pod, the same at each call; null if there is none. */
  public @Nullable PodLife lifeOf(PodView pod) {
    synchronized (found) {
      Found known = found.get(pod.uid());
      if (known == null) {
        known = new Found(take(pod));
        found.put(pod.uid(), known);
      }
      return known.life;
    }
  }

  /** The life that a pod was given so far; null for none. */
  public @Nullable PodLife given(String uid) {
    synchronized (found) {
      Found known = found.get(uid);
      return known == null ? null : known.life;
    }
  }

  /** Number of pods by how their lives were found. */
  public Map<Match, Integer> counts() {
    synchronized (found) {
      return Map.copyOf(counts);
    }
  }

  private @Nullable PodLife take(PodView pod) {
    String position = pod.annotations().get(ReplayLabels.LIFE);
    if (position != null) {
      count(Match.SIBLING);
      return recording.lives().get(Integer.parseInt(position));
    }
    String template = pod.annotations().get(ReplayLabels.TEMPLATE);
    if (template == null) {
      count(Match.NONE);
      return null;
    }
    int slash = template.indexOf('/');
    WorkloadRef owner = recording.workloads().get(Integer.parseInt(template.substring(0, slash)));
    int number = Integer.parseInt(template.substring(slash + 1));
    Siblings known = siblings.get(owner);
    if (known == null) {
      count(Match.NONE);
      return null;
    }
    PodLife next = next(known, number, index(pod, owner));
    if (next != null) {
      count(Match.SIBLING);
      return next;
    }
    return drawn(known, number);
  }

  private @Nullable PodLife next(Siblings known, int template, OptionalInt index) {
    Iterator<PodLife> waiting = known.waiting.iterator();
    while (waiting.hasNext()) {
      PodLife life = waiting.next();
      Integer recorded = life.identity().index();
      boolean sameTemplate = template < 0 || life.identity().template() == template;
      boolean sameIndex =
          index.isEmpty() || recorded == null || recorded == index.getAsInt() / scale;
      if (sameTemplate && sameIndex) {
        waiting.remove();
        return life;
      }
    }
    return null;
  }

  private @Nullable PodLife drawn(Siblings known, int template) {
    List<PodLife> alike =
        known.all.stream().filter(life -> life.identity().template() == template).toList();
    if (!alike.isEmpty()) {
      count(Match.TEMPLATE);
      return alike.get(random.nextInt(alike.size()));
    }
    if (!known.all.isEmpty()) {
      count(Match.WORKLOAD);
      return known.all.get(random.nextInt(known.all.size()));
    }
    count(Match.NONE);
    return null;
  }

  private void count(Match match) {
    counts.merge(match, 1, Integer::sum);
  }

  /** Ordinal of a StatefulSet's pod, completion index of an indexed Job's. */
  private static OptionalInt index(PodView pod, WorkloadRef owner) {
    String completion = pod.annotations().get(COMPLETION_INDEX);
    if (completion != null && completion.matches("\\d{1,9}")) {
      return OptionalInt.of(Integer.parseInt(completion));
    }
    String ordinal = pod.name().substring(pod.name().lastIndexOf('-') + 1);
    return owner.kind().equals("StatefulSet") && ordinal.matches("\\d{1,9}")
        ? OptionalInt.of(Integer.parseInt(ordinal))
        : OptionalInt.empty();
  }
}
