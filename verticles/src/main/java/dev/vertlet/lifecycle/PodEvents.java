package dev.vertlet.lifecycle;

import dev.vertlet.bus.ObjectEvent;
import dev.vertlet.model.PodRef;
import dev.vertlet.model.PodView;
import dev.vertlet.provider.ProviderContext;

/**
 * Kubernetes Events about pods, with the kubelet's reasons and messages.
 *
 * @see <a href="https://github.com/kubernetes/kubernetes/blob/v1.36.3/pkg/kubelet/events/event.go">
 *     events/event.go, kubelet 1.36.3</a>
 */
final class PodEvents {
  static final String PULLING = "Pulling";
  static final String PULLED = "Pulled";
  static final String CREATED = "Created";
  static final String STARTED = "Started";
  static final String KILLING = "Killing";
  static final String FAILED = "Failed";
  static final String BACK_OFF = "BackOff";
  static final String INSPECT_FAILED = "InspectFailed";
  static final String FAILED_KILL_POD = "FailedKillPod";
  static final String FAILED_CREATE_SANDBOX = "FailedCreatePodSandBox";
  static final String FAILED_MOUNT = "FailedMount";
  static final String FAILED_POST_START = "FailedPostStartHook";
  static final String FAILED_PRE_STOP = "FailedPreStopHook";
  static final String UNHEALTHY = "Unhealthy";
  static final String PROBE_WARNING = "ProbeWarning";
  static final String NETWORK_NOT_READY = "NetworkNotReady";
  static final String SANDBOX_CHANGED = "SandboxChanged";
  static final String RESIZE_STARTED = "ResizeStarted";
  static final String RESIZE_COMPLETED = "ResizeCompleted";
  static final String RESIZE_ERROR = "ResizeError";
  static final String RESIZE_DEFERRED = "ResizeDeferred";
  static final String RESIZE_INFEASIBLE = "ResizeInfeasible";

  /** Not a kubelet's: see docs/in-place.md. */
  static final String IN_PLACE_UPDATE_UNSAFE = "InPlaceUpdateUnsafe";

  private final ProviderContext context;
  private final boolean enabled;

  PodEvents(ProviderContext context, boolean enabled) {
    this.context = context;
    this.enabled = enabled;
  }

  /** False when nothing is sent: callers on the hot path then build no message. */
  boolean enabled() {
    return enabled;
  }

  void normal(PodState pod, String reason, String message) {
    send(pod.view(), "", ObjectEvent.NORMAL, reason, message);
  }

  void warning(PodState pod, String reason, String message) {
    send(pod.view(), "", ObjectEvent.WARNING, reason, message);
  }

  void normal(PodState pod, ContainerSlot slot, String reason, String message) {
    send(pod.view(), slot.kind().fieldPath(slot.name()), ObjectEvent.NORMAL, reason, message);
  }

  void warning(PodState pod, ContainerSlot slot, String reason, String message) {
    send(pod.view(), slot.kind().fieldPath(slot.name()), ObjectEvent.WARNING, reason, message);
  }

  private void send(PodView pod, String path, String type, String reason, String message) {
    if (!enabled) {
      return;
    }
    PodRef ref = pod.ref();
    context.event(
        new ObjectEvent(
            "Pod",
            ref.namespace(),
            ref.name(),
            ref.uid(),
            path,
            type,
            reason,
            message,
            pod.nodeName()));
  }

  /** A pod as the kubelet writes it in messages: {@code name_namespace(uid)}. */
  static String describe(PodView pod) {
    PodRef ref = pod.ref();
    return ref.name() + "_" + ref.namespace() + "(" + ref.uid() + ")";
  }
}
