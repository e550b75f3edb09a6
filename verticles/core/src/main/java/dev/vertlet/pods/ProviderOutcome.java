package dev.vertlet.pods;

import dev.vertlet.bus.ObjectEvent;
import dev.vertlet.bus.PodReport;
import dev.vertlet.env.VolumePreparer;
import dev.vertlet.model.container.RestartPolicy;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.status.ContainerStateView;
import dev.vertlet.model.status.ContainerStatusView;
import dev.vertlet.model.status.PodPhase;
import dev.vertlet.model.status.PodStatusView;
import dev.vertlet.provider.failure.ProviderException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Events and statuses that show the result of an operation on a pod. Pure. For providers that write
 * no events of their own, these have virtual-kubelet's reasons and messages (node/pod.go, v1.13).
 */
final class ProviderOutcome {
  private ProviderOutcome() {}

  /** Event of a successful operation, if it has one. */
  static Optional<ObjectEvent> succeeded(PodOperation done) {
    if (done instanceof PodOperation.Create op) {
      return Optional.of(
          event(
              op.pod(),
              ObjectEvent.NORMAL,
              "ProviderCreateSuccess",
              "Create pod in provider successfully"));
    }
    if (done instanceof PodOperation.Update op) {
      return Optional.of(
          event(
              op.pod(),
              ObjectEvent.NORMAL,
              "ProviderUpdateSuccess",
              "Update pod in provider successfully"));
    }
    if (done instanceof PodOperation.Delete op && op.pod().deleting()) {
      return Optional.of(
          event(
              op.pod(),
              ObjectEvent.NORMAL,
              "ProviderDeleteSuccess",
              "Delete pod in provider successfully"));
    }
    return Optional.empty();
  }

  /** Event of a failed operation, if it has one. */
  static Optional<ObjectEvent> failed(PodOperation failed, Throwable failure) {
    String message = text(failure);
    if (failed instanceof PodOperation.Create op) {
      return Optional.of(event(op.pod(), ObjectEvent.WARNING, "ProviderCreateFailed", message));
    }
    if (failed instanceof PodOperation.Update op) {
      return Optional.of(event(op.pod(), ObjectEvent.WARNING, "ProviderUpdateFailed", message));
    }
    if (failed instanceof PodOperation.Delete op && op.pod().deleting()) {
      return Optional.of(event(op.pod(), ObjectEvent.WARNING, "ProviderDeleteFailed", message));
    }
    return Optional.empty();
  }

  /** Whether the provider refuses this definition of a pod for good. */
  static boolean permanent(ProviderException.Kind kind) {
    return kind == ProviderException.Kind.INVALID || kind == ProviderException.Kind.UNSUPPORTED;
  }

  /**
   * Event for a change that the provider cannot apply to a running pod: the pod continues
   * unchanged, and the next change is tried again.
   */
  static ObjectEvent notUpdated(PodView pod, Throwable failure) {
    return event(pod, ObjectEvent.WARNING, "InPlaceUpdateUnsupported", text(failure));
  }

  /**
   * Report of a permanent refusal: the pod becomes Failed, as after a kubelet's rejection at
   * admission.
   */
  static PodReport rejected(PodView pod, Throwable failure) {
    return report(
        pod, PodPhase.FAILED, rejectReason(failure), "Pod was rejected: " + text(failure));
  }

  static ObjectEvent rejectedEvent(PodView pod, Throwable failure) {
    return event(pod, ObjectEvent.WARNING, rejectReason(failure), text(failure));
  }

  /**
   * Whether the pod's environment or volumes could not be resolved, so that the provider was not
   * called.
   */
  static boolean unresolved(Throwable failure) {
    String reason = ProviderException.reasonOf(failure, "");
    return reason.equals(ResolvingProvider.UNRESOLVED) || reason.equals(VolumePreparer.UNMOUNTED);
  }

  /**
   * Report of a failed create that will be retried. A pod with an unresolved environment looks as
   * on a kubelet: Pending with any restart policy, and each of its containers shows the reason.
   *
   * @param plain whether the provider leaves events to vertlet: a pod that may never restart then
   *     becomes Failed, as in virtual-kubelet, and is not retried
   */
  static PodReport notCreated(PodView pod, Throwable failure, boolean plain) {
    if (unresolved(failure)) {
      return new PodReport(pod.ref(), pod.nodeName(), waiting(pod, failure), false);
    }
    boolean over = plain && pod.spec().restartPolicy() == RestartPolicy.NEVER;
    PodPhase phase = over ? PodPhase.FAILED : PodPhase.PENDING;
    return report(pod, phase, "ProviderFailed", text(failure));
  }

  private static PodStatusView waiting(PodView pod, Throwable failure) {
    ContainerStateView state =
        new ContainerStateView.Waiting(ProviderException.reasonOf(failure, ""), text(failure));
    List<ContainerStatusView> containers =
        pod.spec().containers().stream()
            .map(
                c ->
                    new ContainerStatusView(
                        c.name(), c.image(), "", null, 0, false, false, state, null))
            .toList();
    return status(pod.status(), PodPhase.PENDING, null, null, containers);
  }

  private static String rejectReason(Throwable failure) {
    return ProviderException.reasonOf(failure, "ProviderRejected");
  }

  private static PodReport report(PodView pod, PodPhase phase, String reason, String message) {
    PodStatusView before = pod.status();
    PodStatusView status = status(before, phase, reason, message, before.containerStatuses());
    return new PodReport(pod.ref(), pod.nodeName(), status, false);
  }

  private static PodStatusView status(
      PodStatusView before,
      PodPhase phase,
      @Nullable String reason,
      @Nullable String message,
      List<ContainerStatusView> containers) {
    return new PodStatusView(
        phase,
        reason,
        message,
        before.hostIP(),
        before.otherHostIPs(),
        before.podIPs(),
        before.startTime(),
        before.observedGeneration(),
        before.conditions(),
        before.initContainerStatuses(),
        containers,
        before.ephemeralContainerStatuses());
  }

  private static ObjectEvent event(PodView pod, String type, String reason, String message) {
    return new ObjectEvent(
        "Pod", pod.namespace(), pod.name(), pod.uid(), "", type, reason, message, pod.nodeName());
  }

  private static String text(Throwable failure) {
    String message = failure.getMessage();
    return message == null ? failure.getClass().getSimpleName() : message;
  }
}
