package dev.vertlet.kubelet.pod;

import dev.vertlet.model.KeyedTable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * All pods of the core, by UID. {@link #get} and its siblings wake resting pods; {@link #held}
 * reads them as they are. Belongs to the core's context.
 */
public final class PodStates {
  private final KeyedTable<String, Held> pods = new KeyedTable<>(Held::uid);
  private Function<RestingPod, PodState> waker =
      pod -> {
        throw new IllegalStateException("no pod rests yet");
      };

  /** Sets the function that wakes a resting pod. */
  public void wakeBy(Function<RestingPod, PodState> how) {
    waker = how;
  }

  public int size() {
    return pods.size();
  }

  public boolean contains(String uid) {
    return pods.contains(uid);
  }

  /** Returns the pod, awake; null for none. */
  public @Nullable PodState get(String uid) {
    Held held = pods.get(uid);
    return held == null ? null : awake(held);
  }

  /** Returns the pod as it is; null for none. */
  public @Nullable Held held(String uid) {
    return pods.get(uid);
  }

  /** All pods as they are. */
  public Collection<Held> held() {
    return pods.values();
  }

  /** Adds the pod, or replaces the one with its UID. */
  public void put(Held pod) {
    pods.put(pod);
  }

  /** Removes this pod; another one with its UID stays. */
  public void remove(Held pod) {
    if (pods.get(pod.uid()) == pod) {
      pods.remove(pod.uid());
    }
  }

  public void clear() {
    pods.clear();
  }

  /** The pods that do not rest. */
  public Stream<PodState> awake() {
    return pods.values().stream().filter(PodState.class::isInstance).map(PodState.class::cast);
  }

  /** All pods, awake; a copy. */
  public List<PodState> all() {
    return awake(List.copyOf(pods.values()));
  }

  /** The pods of one node, awake; a copy. */
  public List<PodState> of(String node) {
    return awake(pods.values().stream().filter(pod -> pod.isOn(node)).toList());
  }

  private List<PodState> awake(List<Held> those) {
    List<PodState> awake = new ArrayList<>(those.size());
    those.forEach(pod -> awake.add(awake(pod)));
    return awake;
  }

  private PodState awake(Held held) {
    if (held instanceof PodState awake) {
      return awake;
    }
    PodState woken = waker.apply((RestingPod) held);
    pods.put(woken);
    return woken;
  }
}
