package dev.vertlet.pods;

import dev.vertlet.bus.ObjectEvent;
import dev.vertlet.bus.PodReport;
import dev.vertlet.model.ContainerStateView;
import dev.vertlet.model.ContainerStatusView;
import dev.vertlet.model.PodPhase;
import dev.vertlet.model.PodStatusView;
import dev.vertlet.model.PodView;
import dev.vertlet.model.RestartPolicy;
import dev.vertlet.provider.ProviderException;
import dev.vertlet.provider.ResolvingProvider;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What users see of an operation on a pod. Pure. For providers that write no events of their own
 * these are virtual-kubelet's reasons and messages (node/pod.go, v1.13).
 */
final class ProviderOutcome {
  private ProviderOutcome() {}

  /** The event of a success, for operations that have one. */
  static Optional<ObjectEvent> succeeded(PodMailbox.Operation done) {
    if (done instanceof PodMailbox.Operation.Create op) {
      return Optional.of(
          event(
              op.pod(),
              ObjectEvent.NORMAL,
              "ProviderCreateSuccess",
              "Create pod in provider successfully"));
    }
    if (done instanceof PodMailbox.Operation.Update op) {
      return Optional.of(
          event(
              op.pod(),
              ObjectEvent.NORMAL,
              "ProviderUpdateSuccess",
              "Update pod in provider successfully"));
    }
    if (done instanceof PodMailbox.Operation.Delete op && op.pod().deleting()) {
      return Optional.of(
          event(
              op.pod(),
              ObjectEvent.NORMAL,
              "ProviderDeleteSuccess",
              "Delete pod in provider successfully"));
    }
    return Optional.empty();
  }

  /** The event of a failure, for operations that have one. */
  static Optional<ObjectEvent> failed(PodMailbox.Operation failed, Throwable failure) {
    String message = text(failure);
    if (failed instanceof PodMailbox.Operation.Create op) {
      return Optional.of(event(op.pod(), ObjectEvent.WARNING, "ProviderCreateFailed", message));
    }
    if (failed instanceof PodMailbox.Operation.Update op) {
      return Optional.of(event(op.pod(), ObjectEvent.WARNING, "ProviderUpdateFailed", message));
    }
    if (failed instanceof PodMailbox.Operation.Delete op && op.pod().deleting()) {
      return Optional.of(event(op.pod(), ObjectEvent.WARNING, "ProviderDeleteFailed", message));
    }
    return Optional.empty();
  }

  /**
   * The provider cannot change a pod that runs: it goes on as it is, and the provider is asked
   * again with the next change.
   */
  static ObjectEvent notUpdated(PodView pod, Throwable failure) {
    return event(pod, ObjectEvent.WARNING, "InPlaceUpdateUnsupported", text(failure));
  }

  /** A permanent refusal: the pod is Failed, as a kubelet rejects a pod at admission. */
  static PodReport rejected(PodView pod, Throwable failure) {
    return report(
        pod, PodPhase.FAILED, rejectReason(failure), "Pod was rejected: " + text(failure));
  }

  static ObjectEvent rejectedEvent(PodView pod, Throwable failure) {
    return event(pod, ObjectEvent.WARNING, rejectReason(failure), text(failure));
  }

  /** Whether the provider was not even asked: the pod's environment cannot be made now. */
  static boolean unresolved(Throwable failure) {
    return ProviderException.reasonOf(failure, "").equals(ResolvingProvider.UNRESOLVED);
  }

  /**
   * A create that will be tried again. A pod whose environment cannot be made looks as on a
   * kubelet: it is Pending whatever its restart policy, and each of its containers says what it
   * waits for.
   *
   * @param plain whether the provider leaves events and such to vertlet: then a pod that may never
   *     restart has Failed, as virtual-kubelet has it, and is not tried again
   */
  static PodReport notCreated(PodView pod, Throwable failure, boolean plain) {
    if (unresolved(failure)) {
      return new PodReport(pod.ref(), pod.nodeName(), waiting(pod, text(failure)), false);
    }
    boolean over = plain && pod.spec().restartPolicy() == RestartPolicy.NEVER;
    PodPhase phase = over ? PodPhase.FAILED : PodPhase.PENDING;
    return report(pod, phase, "ProviderFailed", text(failure));
  }

  private static PodStatusView waiting(PodView pod, String message) {
    ContainerStateView state =
        new ContainerStateView.Waiting(ResolvingProvider.UNRESOLVED, message);
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
