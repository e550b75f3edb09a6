package dev.vertlet.remote;

import dev.vertlet.model.PodRef;
import dev.vertlet.provider.container.ContainerRecord;
import dev.vertlet.provider.container.RuntimePod;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Sandboxes and containers of a back end, by UID. As in {@link PodBook}, of two states the one with
 * the higher revision counts. Makes no calls and reads no clock.
 */
final class SandboxBook implements HeldStates {
  /** Receives what has changed. */
  interface Effects {
    void changed(PodRef pod, ContainerRecord container);

    void sandboxLost(PodRef pod);
  }

  private final Effects effects;
  private final Map<String, Entry> entries = new HashMap<>();
  private final Set<String> released = new HashSet<>();

  /** Pods that calls have removed: what the stream still says of them is older. */
  private final Set<String> removed = new HashSet<>();

  private long lists;

  private static final class Entry {
    SandboxState held;

    /** Number of the last list that had begun when the pod was last seen. */
    long seen;

    Entry(SandboxState held, long seen) {
      this.held = held;
      this.seen = seen;
    }
  }

  SandboxBook(Effects effects) {
    this.effects = effects;
  }

  /** A state arrived in an answer or on the stream. */
  void observed(SandboxState state) {
    String uid = state.pod().pod().uid();
    if (removed.contains(uid)) {
      return;
    }
    Entry entry = entries.get(uid);
    if (entry == null) {
      entries.put(uid, new Entry(state, lists));
      tell(null, state.pod());
      return;
    }
    entry.seen = lists;
    SandboxState before = entry.held;
    if (state.revision() <= before.revision()) {
      return;
    }
    entry.held = state;
    tell(before.pod(), state.pod());
  }

  /** Tells of containers that are new or differ, and of those that are missing as ended. */
  private void tell(@Nullable RuntimePod before, RuntimePod now) {
    if (released.contains(now.node())) {
      return;
    }
    for (ContainerRecord container : now.containers()) {
      ContainerRecord known = before == null ? null : find(before, container.id());
      if (!container.equals(known)) {
        effects.changed(now.pod(), container);
      }
    }
    if (before != null && before.sandbox() != null && now.sandbox() == null) {
      effects.sandboxLost(now.pod());
    }
  }

  private static @Nullable ContainerRecord find(RuntimePod pod, String id) {
    for (ContainerRecord container : pod.containers()) {
      if (container.id().equals(id)) {
        return container;
      }
    }
    return null;
  }

  /** A call asks for the pod: states of it count. */
  void wanted(String uid) {
    removed.remove(uid);
  }

  /** The sandbox is lost, unless it was removed. */
  @Override
  public void gone(String uid, long revision) {
    removed.remove(uid);
    Entry entry = entries.get(uid);
    if (entry != null && entry.held.revision() <= revision) {
      lost(uid, entry);
    }
  }

  private void lost(String uid, Entry entry) {
    entries.remove(uid);
    RuntimePod pod = entry.held.pod();
    if (pod.sandbox() != null && !released.contains(pod.node())) {
      effects.sandboxLost(pod.pod());
    }
  }

  /** The pod was removed by a call. */
  void forget(String uid) {
    if (entries.remove(uid) != null) {
      removed.add(uid); // until the stream says that it is gone
    }
  }

  void seen(String uid) {
    Entry entry = entries.get(uid);
    if (entry != null) {
      entry.seen = lists;
    }
  }

  @Override
  public long listing() {
    return ++lists;
  }

  @Override
  public void listed(long number, Collection<String> uids) {
    Set<String> present = Set.copyOf(uids);
    removed.retainAll(present);
    for (String uid : List.copyOf(entries.keySet())) {
      Entry entry = entries.get(uid);
      if (entry != null && entry.seen < number && !present.contains(uid)) {
        lost(uid, entry);
      }
    }
  }

  /** All pods but those of released nodes. */
  List<RuntimePod> pods() {
    return entries.values().stream()
        .map(entry -> entry.held.pod())
        .filter(pod -> !released.contains(pod.node()))
        .toList();
  }

  Optional<RuntimePod> find(String uid) {
    Entry entry = entries.get(uid);
    return entry == null ? Optional.empty() : Optional.of(entry.held.pod());
  }

  /** The instance with this id; null if there is none. */
  @Nullable ContainerRecord container(String uid, String id) {
    return find(uid).map(pod -> find(pod, id)).orElse(null);
  }

  /** Forgets a node's pods; they run on. */
  void release(String node) {
    released.add(node);
  }

  /** The node is served: its pods are listed, and their changes reported. */
  void served(String node) {
    released.remove(node);
  }
}
