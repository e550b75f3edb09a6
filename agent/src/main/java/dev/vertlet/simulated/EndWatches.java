package dev.vertlet.simulated;

import dev.vertlet.model.ContainerStateView;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * Who is to be told when an instance ends, or is answered for no longer. Told on the runtime's
 * context; may be left on any thread, since clients go on theirs. Costs nothing for instances that
 * nobody looks into.
 */
final class EndWatches {
  private final Map<Instance, Set<Watch>> watches = new ConcurrentHashMap<>();

  /** One that is told; two that do the same are two. */
  private static final class Watch {
    final Consumer<ContainerStateView> told;

    Watch(Consumer<ContainerStateView> told) {
      this.told = told;
    }
  }

  /**
   * @param told once, with the last state: Terminated, or Running for an instance that another
   *     agent may go on with
   * @return tells no more
   */
  Runnable watch(Instance instance, Consumer<ContainerStateView> told) {
    Watch watch = new Watch(told);
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
      all.forEach(watch -> watch.told.accept(instance.record().state()));
    }
  }

  /** The runtime stops. */
  void tellAll() {
    watches.keySet().forEach(this::tell);
  }

  boolean watched(Instance instance) {
    return watches.containsKey(instance);
  }

  /** Instances that somebody watches. */
  int size() {
    return watches.size();
  }
}
