package dev.vertlet.status;

import dev.vertlet.model.status.ContainerStateView;
import dev.vertlet.model.status.ContainerStatusView;
import dev.vertlet.model.status.PodStatusView;
import java.util.ArrayDeque;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Unwritten statuses of one pod that newer ones have replaced, oldest first. A kubelet writes them
 * one after the other, as its containers are slower than its writes.
 */
final class StatusSteps {
  /** More states than a pod passes during one write. */
  private static final int MOST = 8;

  private final ArrayDeque<PodStatusView> waiting = new ArrayDeque<>(2);

  /** Whether the statuses differ in the phase or in the state of a container. */
  static boolean differ(PodStatusView one, PodStatusView other) {
    return one.phase() != other.phase()
        || differ(one.initContainerStatuses(), other.initContainerStatuses())
        || differ(one.containerStatuses(), other.containerStatuses())
        || differ(one.ephemeralContainerStatuses(), other.ephemeralContainerStatuses());
  }

  private static boolean differ(List<ContainerStatusView> one, List<ContainerStatusView> other) {
    if (one == other) {
      return false;
    }
    if (one.size() != other.size()) {
      return true;
    }
    for (int i = 0; i < one.size(); i++) {
      if (differ(one.get(i), other.get(i))) {
        return true;
      }
    }
    return false;
  }

  private static boolean differ(ContainerStatusView one, ContainerStatusView other) {
    return one.restartCount() != other.restartCount() || kind(one.state()) != kind(other.state());
  }

  private static @Nullable Class<?> kind(@Nullable ContainerStateView state) {
    return state == null ? null : state.getClass();
  }

  /**
   * Adds a replaced status.
   *
   * @return false if it is dropped, beyond the limit
   */
  boolean add(PodStatusView status) {
    return waiting.size() < MOST && waiting.add(status);
  }

  /**
   * Takes the first status that is due, and drops those before it.
   *
   * @return null if none is due
   */
  @Nullable PodStatusView next(Predicate<PodStatusView> due) {
    PodStatusView next = waiting.poll();
    while (next != null && !due.test(next)) {
      next = waiting.poll();
    }
    return next;
  }

  boolean isEmpty() {
    return waiting.isEmpty();
  }
}
