package dev.vertlet.apiserver.scheduler;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/**
 * Pods that wait: active ones by priority and age, parked ones in groups of equal requirements with
 * the reason why nothing fits.
 */
final class SchedulingQueue {
  private record Active(PendingPod pod, long sequence) {}

  private static final class Group {
    private String message;
    private final Map<String, PendingPod> pods = new LinkedHashMap<>();

    Group(String message) {
      this.message = message;
    }
  }

  private final Map<String, Active> activeByUid = new HashMap<>();
  private final TreeSet<Active> active =
      new TreeSet<>(
          Comparator.<Active>comparingInt(waiting -> -waiting.pod().priority())
              .thenComparingLong(Active::sequence));
  private final Map<Requirements, Group> parked = new LinkedHashMap<>();
  private final Map<String, Requirements> parkedByUid = new HashMap<>();
  private long sequence;

  /** Adds a pod that waits for its first, or next, attempt; one that is here already stays. */
  void add(PendingPod pod) {
    if (activeByUid.containsKey(pod.uid()) || parkedByUid.containsKey(pod.uid())) {
      return;
    }
    activate(pod);
  }

  private void activate(PendingPod pod) {
    Active waiting = new Active(pod, sequence++);
    activeByUid.put(pod.uid(), waiting);
    active.add(waiting);
  }

  /** Forgets a pod. */
  void remove(String uid) {
    Active waiting = activeByUid.remove(uid);
    if (waiting != null) {
      active.remove(waiting);
    }
    Requirements requirements = parkedByUid.remove(uid);
    if (requirements != null) {
      Group group = parked.get(requirements);
      if (group != null) {
        group.pods.remove(uid);
        if (group.pods.isEmpty()) {
          parked.remove(requirements);
        }
      }
    }
  }

  boolean hasActive() {
    return !active.isEmpty();
  }

  /** Takes the next pod out. */
  Optional<PendingPod> poll() {
    Active first = active.pollFirst();
    if (first == null) {
      return Optional.empty();
    }
    activeByUid.remove(first.pod().uid());
    return Optional.of(first.pod());
  }

  /** The reason why pods with these requirements fit nowhere, if that was found out. */
  Optional<String> hopeless(Requirements requirements) {
    return Optional.ofNullable(parked.get(requirements)).map(group -> group.message);
  }

  void park(PendingPod pod, String message) {
    Group group = parked.computeIfAbsent(pod.requirements(), any -> new Group(message));
    group.message = message;
    group.pods.put(pod.uid(), pod);
    parkedByUid.put(pod.uid(), pod.requirements());
  }

  /** One parked pod of each group. */
  List<PendingPod> samples() {
    List<PendingPod> samples = new ArrayList<>();
    parked.values().forEach(group -> samples.add(group.pods.values().iterator().next()));
    return samples;
  }

  /** All parked pods with these requirements wait for an attempt again. */
  void wake(Requirements requirements) {
    Group group = parked.remove(requirements);
    if (group != null) {
      group.pods.keySet().forEach(parkedByUid::remove);
      group.pods.values().forEach(this::activate);
    }
  }

  /** Replaces the reason of a group; the pods that should hear of it, none when it is the same. */
  List<PendingPod> explain(Requirements requirements, String message) {
    Group group = parked.get(requirements);
    if (group == null || group.message.equals(message)) {
      return List.of();
    }
    group.message = message;
    return List.copyOf(group.pods.values());
  }

  /** The reason why this very pod is parked. */
  Optional<String> reason(PendingPod pod) {
    return Optional.ofNullable(parkedByUid.get(pod.uid())).flatMap(this::hopeless);
  }
}
