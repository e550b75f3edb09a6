package dev.vertlet.kubelet;

import dev.vertlet.kubelet.container.WaitReasons;
import dev.vertlet.model.pod.PodSpecView;
import dev.vertlet.model.status.ContainerStateView;
import dev.vertlet.model.status.ContainerStateView.Running;
import dev.vertlet.model.status.ContainerStateView.Terminated;
import dev.vertlet.model.status.ContainerStateView.Waiting;
import dev.vertlet.model.status.ContainerStatusView;
import dev.vertlet.model.status.PodStatusView;
import dev.vertlet.provider.container.ContainerRecord;
import dev.vertlet.provider.failure.ProviderException;
import dev.vertlet.provider.failure.ProviderException.Kind;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds the instance for a request that names only the container; the messages of failures are the
 * kubelet's. Unknown names fail as NOT_FOUND. A log that does not exist yet or no longer exists
 * fails as INVALID. Exec and attach fail as TEMPORARY when no instance runs, which clients see as
 * 500, as from a kubelet.
 */
final class InstanceLookup {
  private InstanceLookup() {}

  /**
   * Instance of a container.
   *
   * @param id as the runtime named it
   * @param state Running or Terminated
   */
  record Found(String id, ContainerStateView state) {}

  /**
   * Finds the instance whose log is requested: the running one, else the one that ended last, or
   * with {@code previous} the one before that.
   *
   * @param status of the pod, as the API server shows it
   * @throws ProviderException NOT_FOUND or INVALID
   */
  static Found log(
      String pod, PodSpecView spec, PodStatusView status, String container, boolean previous) {
    if (spec.container(container) == null) {
      throw new ProviderException(
          Kind.NOT_FOUND,
          "ContainerNotFound",
          quoted("container %s not found in pod %s", container, pod));
    }
    ContainerStatusView shown = find(status, container);
    if (shown == null) {
      throw noLog("container %s in pod %s is not available", container, pod);
    }
    Found last = ended(shown.lastState());
    if (previous) {
      return required(last, "previous terminated container %s in pod %s not found", container, pod);
    }
    ContainerStateView state = shown.state();
    if (state instanceof Running && shown.containerId() != null) {
      return new Found(shown.containerId(), state);
    }
    if (state instanceof Terminated) {
      // an end without an id belongs to an instance that never started: the previous instance has
      // the log
      Found end = ended(state);
      return required(
          end == null ? last : end, "container %s in pod %s is terminated", container, pod);
    }
    if (shown.lastState() instanceof Terminated) {
      return required(last, "container %s in pod %s is terminated", container, pod);
    }
    if (state instanceof Waiting waiting) {
      String text = quoted("container %s in pod %s is waiting to start: ", container, pod);
      throw new ProviderException(Kind.INVALID, "NoLog", text + why(waiting));
    }
    throw noLog("container %s in pod %s is waiting to start - no logs yet", container, pod);
  }

  private static String why(Waiting waiting) {
    String reason = waiting.reason();
    if (WaitReasons.ERR_IMAGE_PULL.equals(reason)) {
      return "image can't be pulled";
    }
    if (WaitReasons.IMAGE_PULL_BACK_OFF.equals(reason)) {
      return "trying and failing to pull image";
    }
    return reason == null ? "" : reason;
  }

  /**
   * Returns the running instance of a container.
   *
   * @param newest the newest known instance; null for none
   * @param message of the failure when no instance runs
   * @throws ProviderException NOT_FOUND or TEMPORARY
   */
  static Found running(
      PodSpecView spec, String container, @Nullable ContainerRecord newest, String message) {
    if (newest != null && newest.running()) {
      return new Found(newest.id(), newest.state());
    }
    Kind kind = spec.container(container) == null ? Kind.NOT_FOUND : Kind.TEMPORARY;
    throw new ProviderException(kind, "ContainerNotFound", message);
  }

  private static @Nullable ContainerStatusView find(PodStatusView status, String container) {
    ContainerStatusView found = find(status.containerStatuses(), container);
    found = found == null ? find(status.initContainerStatuses(), container) : found;
    return found == null ? find(status.ephemeralContainerStatuses(), container) : found;
  }

  private static @Nullable ContainerStatusView find(
      List<ContainerStatusView> statuses, String container) {
    for (ContainerStatusView status : statuses) {
      if (status.name().equals(container)) {
        return status;
      }
    }
    return null;
  }

  private static @Nullable Found ended(@Nullable ContainerStateView state) {
    if (!(state instanceof Terminated end)) {
      return null;
    }
    String id = end.containerId();
    return id == null || id.isEmpty() ? null : new Found(id, end);
  }

  private static Found required(
      @Nullable Found found, String format, String container, String pod) {
    if (found == null) {
      throw noLog(format, container, pod);
    }
    return found;
  }

  private static ProviderException noLog(String format, String container, String pod) {
    return new ProviderException(Kind.INVALID, "NoLog", quoted(format, container, pod));
  }

  private static String quoted(String format, String container, String pod) {
    return format.formatted('"' + container + '"', '"' + pod + '"');
  }
}
