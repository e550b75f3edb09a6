package dev.vertlet.model.status;

import dev.vertlet.model.container.ContainerUserView;
import dev.vertlet.model.container.ResourcesView;
import dev.vertlet.model.status.ContainerStateView.Running;
import dev.vertlet.model.status.ContainerStateView.Terminated;
import dev.vertlet.model.status.ContainerStateView.Waiting;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Equality after a round trip through the API server: whole seconds; an empty string is absent;
 * null is the zero value in fields without null.
 */
final class StatusEquality {
  private StatusEquality() {}

  static boolean text(@Nullable String a, @Nullable String b) {
    return (a == null ? "" : a).equals(b == null ? "" : b);
  }

  static boolean time(@Nullable Instant a, @Nullable Instant b) {
    return a == null || b == null ? a == b : a.getEpochSecond() == b.getEpochSecond();
  }

  /** Equal if {@code wanted} is null: the server keeps its generation. */
  static boolean generation(@Nullable Long known, @Nullable Long wanted) {
    return wanted == null || wanted.equals(known);
  }

  static boolean condition(ConditionView known, ConditionView wanted) {
    return known.type().equals(wanted.type())
        && known.status().equals(wanted.status())
        && text(known.reason(), wanted.reason())
        && text(known.message(), wanted.message())
        && generation(known.observedGeneration(), wanted.observedGeneration())
        && time(known.lastTransitionTime(), wanted.lastTransitionTime());
  }

  static boolean containers(List<ContainerStatusView> a, List<ContainerStatusView> b) {
    if (a.size() != b.size()) {
      return false;
    }
    for (int i = 0; i < a.size(); i++) {
      if (!container(a.get(i), b.get(i))) {
        return false;
      }
    }
    return true;
  }

  private static boolean container(ContainerStatusView a, ContainerStatusView b) {
    return a.mounts().equals(b.mounts())
        && a.image().equals(b.image())
        && a.imageId().equals(b.imageId())
        && text(a.containerId(), b.containerId())
        && a.restartCount() == b.restartCount()
        && a.ready() == b.ready()
        && Objects.equals(a.started(), b.started())
        && state(a.state(), b.state())
        && state(a.lastState(), b.lastState())
        && a.allocatedResources().equals(b.allocatedResources())
        && resources(a.resources(), b.resources())
        && user(a.user(), b.user());
  }

  /**
   * Equal if one of both is null: a server may not keep users, and a user is written with its
   * instance.
   */
  private static boolean user(@Nullable ContainerUserView a, @Nullable ContainerUserView b) {
    return a == null || b == null || a.equals(b);
  }

  /** Compares pod-level resources; equal if {@code wanted} is null, as for a generation. */
  static boolean resources(@Nullable PodResourcesView known, @Nullable PodResourcesView wanted) {
    return wanted == null
        || (known != null
            && wanted.allocated().equals(known.allocated())
            && wanted.applied().sameAmounts(known.applied()));
  }

  /** Compares without pod-level limits, which are not in a container's status. */
  private static boolean resources(@Nullable ResourcesView a, @Nullable ResourcesView b) {
    return a == null || b == null ? a == b : a.sameAmounts(b);
  }

  private static boolean state(@Nullable ContainerStateView a, @Nullable ContainerStateView b) {
    if (a instanceof Waiting x && b instanceof Waiting y) {
      return text(x.reason(), y.reason()) && text(x.message(), y.message());
    }
    if (a instanceof Running x && b instanceof Running y) {
      return time(x.startedAt(), y.startedAt());
    }
    if (a instanceof Terminated x && b instanceof Terminated y) {
      return terminated(x, y);
    }
    return a == null && b == null;
  }

  private static boolean terminated(Terminated a, Terminated b) {
    return a.exitCode() == b.exitCode()
        && a.signal() == b.signal()
        && text(a.reason(), b.reason())
        && text(a.message(), b.message())
        && time(a.startedAt(), b.startedAt())
        && time(a.finishedAt(), b.finishedAt())
        && text(a.containerId(), b.containerId());
  }
}
