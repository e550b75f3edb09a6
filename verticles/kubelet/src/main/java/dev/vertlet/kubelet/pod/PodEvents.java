package dev.vertlet.kubelet.pod;

import dev.vertlet.bus.ObjectEvent;
import dev.vertlet.kubelet.container.ContainerSlot;
import dev.vertlet.model.PodRef;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.provider.pod.ProviderContext;

/**
 * Kubernetes Events about pods, with the kubelet's reasons and messages.
 *
 * @see <a href="https://github.com/kubernetes/kubernetes/blob/v1.36.3/pkg/kubelet/events/event.go">
 *     events/event.go, kubelet 1.36.3</a>
 */
public final class PodEvents {
  public static final String PULLING = "Pulling";
  public static final String PULLED = "Pulled";
  public static final String CREATED = "Created";
  public static final String STARTED = "Started";
  public static final String KILLING = "Killing";
  public static final String FAILED = "Failed";
  public static final String BACK_OFF = "BackOff";
  public static final String INSPECT_FAILED = "InspectFailed";
  static final String FAILED_KILL_POD = "FailedKillPod";
  public static final String FAILED_CREATE_SANDBOX = "FailedCreatePodSandBox";
  public static final String FAILED_MOUNT = "FailedMount";
  public static final String FAILED_POST_START = "FailedPostStartHook";
  public static final String FAILED_PRE_STOP = "FailedPreStopHook";
  public static final String UNHEALTHY = "Unhealthy";
  public static final String PROBE_WARNING = "ProbeWarning";
  public static final String NETWORK_NOT_READY = "NetworkNotReady";
  public static final String SANDBOX_CHANGED = "SandboxChanged";
  public static final String RESIZE_STARTED = "ResizeStarted";
  public static final String RESIZE_COMPLETED = "ResizeCompleted";
  public static final String RESIZE_ERROR = "ResizeError";
  public static final String RESIZE_DEFERRED = "ResizeDeferred";
  public static final String RESIZE_INFEASIBLE = "ResizeInfeasible";

  /** Not an event of a kubelet: see docs/in-place.md. */
  public static final String IN_PLACE_UPDATE_UNSAFE = "InPlaceUpdateUnsafe";

  private final ProviderContext context;
  private final boolean enabled;

  public PodEvents(ProviderContext context, boolean enabled) {
    this.context = context;
    this.enabled = enabled;
  }

  /** False when no events are sent: callers on the hot path then build no message. */
  public boolean enabled() {
    return enabled;
  }

  public void normal(PodState pod, String reason, String message) {
    send(pod.view(), "", ObjectEvent.NORMAL, reason, message);
  }

  public void warning(PodState pod, String reason, String message) {
    send(pod.view(), "", ObjectEvent.WARNING, reason, message);
  }

  public void normal(PodState pod, ContainerSlot slot, String reason, String message) {
    send(pod.view(), slot.kind().fieldPath(slot.name()), ObjectEvent.NORMAL, reason, message);
  }

  public void warning(PodState pod, ContainerSlot slot, String reason, String message) {
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

  /** Returns a pod as a kubelet writes it in messages: {@code name_namespace(uid)}. */
  public static String describe(PodView pod) {
    PodRef ref = pod.ref();
    return ref.name() + "_" + ref.namespace() + "(" + ref.uid() + ")";
  }
}
