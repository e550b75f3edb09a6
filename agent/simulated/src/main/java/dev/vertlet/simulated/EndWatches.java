package dev.vertlet.simulated;

import dev.vertlet.model.status.ContainerStateView;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * Notifies log, attach and exec sessions when an instance ends or its node is released.
 * Notifications run on the runtime's context; a watch may be cancelled on any thread, as sessions
 * run on the loops of their connections. An instance without sessions costs nothing.
 */
final class EndWatches {
  private final Map<Instance, Set<Watch>> watches = new ConcurrentHashMap<>();

  /** One registration, compared by identity: two equal callbacks are two registrations. */
  private static final class Watch {
    final Consumer<ContainerStateView> callback;

    Watch(Consumer<ContainerStateView> callback) {
      this.callback = callback;
    }
  }

  /**
   * Registers a callback.
   *
   * @param callback called once with the last state: Terminated, or Running for an instance that
   *     another agent may resume
   * @return cancels the registration
   */
  Runnable watch(Instance instance, Consumer<ContainerStateView> callback) {
    Watch watch = new Watch(callback);
    Set<Watch> unused =
        watches.compute(
            instance,
            (same, known) -> {
              Set<Watch> all = known == null ? ConcurrentHashMap.newKeySet() : known;
              all.add(watch);
              return all;
            });
    return () -> leave(instance, watch);
  }

  private void leave(Instance instance, Watch watch) {
    Set<Watch> unused =
        watches.computeIfPresent(
            instance,
            (same, known) -> {
              known.remove(watch);
              return known.isEmpty() ? null : known;
            });
  }

  void tell(Instance instance) {
    Set<Watch> all = watches.remove(instance);
    if (all != null) {
      all.forEach(watch -> watch.callback.accept(instance.record().state()));
    }
  }

  /** Notifies every session: the runtime stops. */
  void tellAll() {
    watches.keySet().forEach(this::tell);
  }

  boolean watched(Instance instance) {
    return watches.containsKey(instance);
  }

  /** Returns the number of watched instances. */
  int size() {
    return watches.size();
  }
}
