package dev.vertlet.lifecycle.pod;

import dev.vertlet.model.KeyedTable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * All pods of the core, by UID. Whoever asks for one to do something with it wakes it; those who
 * only look take what is {@link #held}. Belongs to the core's context.
 */
public final class PodStates {
  private final KeyedTable<String, Held> pods = new KeyedTable<>(Held::uid);
  private Function<RestingPod, PodState> waker =
      pod -> {
        throw new IllegalStateException("no pod rests yet");
      };

  /** Makes a pod that rests one that is worked on. */
  public void wakeBy(Function<RestingPod, PodState> how) {
    waker = how;
  }

  public int size() {
    return pods.size();
  }

  public boolean contains(String uid) {
    return pods.contains(uid);
  }

  /** The pod, awake; null when there is none. */
  public @Nullable PodState get(String uid) {
    Held held = pods.get(uid);
    return held == null ? null : awake(held);
  }

  /** The pod as it is; null when there is none. */
  public @Nullable Held held(String uid) {
    return pods.get(uid);
  }

  /** All as they are. */
  public Collection<Held> held() {
    return pods.values();
  }

  /** The pod of its UID from now on. */
  public void put(Held pod) {
    pods.put(pod);
  }

  /** Nothing happens when another one has its UID. */
  public void remove(Held pod) {
    if (pods.get(pod.uid()) == pod) {
      pods.remove(pod.uid());
    }
  }

  public void clear() {
    pods.clear();
  }

  /** Those that do not rest. */
  public Stream<PodState> awake() {
    return pods.values().stream().filter(PodState.class::isInstance).map(PodState.class::cast);
  }

  /** All, awake; a copy. */
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
