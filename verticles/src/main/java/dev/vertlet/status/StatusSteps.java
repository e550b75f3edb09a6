package dev.vertlet.status;

import dev.vertlet.model.ContainerStateView;
import dev.vertlet.model.ContainerStatusView;
import dev.vertlet.model.PodStatusView;
import java.util.ArrayDeque;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Statuses of one pod that were overtaken before they were written, oldest first. A kubelet writes
 * them one after the other, as its containers need longer than its writes.
 */
final class StatusSteps {
  /** More than a pod goes through while one status is written. */
  private static final int MOST = 8;

  private final ArrayDeque<PodStatusView> waiting = new ArrayDeque<>(2);

  /** Whether one shows a state of the pod or of a container that the other one does not. */
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

  /** Overtaken just now. Beyond the limit it is left out. */
  void add(PodStatusView status) {
    if (waiting.size() < MOST) {
      waiting.add(status);
    }
  }

  /**
   * Takes the first one that is to be written, and drops those before it.
   *
   * @return null when there is none
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
