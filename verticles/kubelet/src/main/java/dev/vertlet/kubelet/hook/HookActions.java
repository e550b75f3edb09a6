package dev.vertlet.kubelet.hook;

import dev.vertlet.kubelet.container.ContainerSlot;
import dev.vertlet.kubelet.container.SlotHooks;
import dev.vertlet.kubelet.container.WaitReasons;
import dev.vertlet.kubelet.pod.CoreEnv;
import dev.vertlet.kubelet.pod.PodEvents;
import dev.vertlet.kubelet.pod.PodState;
import dev.vertlet.kubelet.pod.RuntimeCalls;
import dev.vertlet.kubelet.pod.RuntimeOperation;
import dev.vertlet.model.container.HandlerView;
import dev.vertlet.provider.container.ContainerRecord;
import dev.vertlet.provider.container.ContainerRuntime;
import dev.vertlet.provider.container.HookRequest;
import dev.vertlet.provider.container.HookRequest.Moment;
import dev.vertlet.provider.failure.ProviderException;
import java.util.function.BiConsumer;

/**
 * Runs hooks. Sleeps are timed here, the runtime runs commands and requests. Events read like a
 * kubelet's and have no output of a hook, which may be secret.
 *
 * @see <a
 *     href="https://github.com/kubernetes/kubernetes/blob/v1.36.3/pkg/kubelet/kuberuntime/kuberuntime_container.go">
 *     startContainer and executePreStopHook, kubelet 1.36.3</a>
 */
public final class HookActions {
  private final RuntimeCalls calls;
  private final ContainerRuntime runtime;
  private final PodEvents events;
  private final BiConsumer<PodState, ContainerSlot> stop;

  /**
   * @param stop stops a container whose preStop hook is over
   */
  public HookActions(CoreEnv env, RuntimeCalls calls, BiConsumer<PodState, ContainerSlot> stop) {
    this.calls = calls;
    this.runtime = env.runtime();
    this.events = env.events();
    this.stop = stop;
  }

  public void postStart(PodState pod, ContainerSlot slot) {
    // no limit of its own: a hook that hangs ends with its container
    begin(pod, slot, Moment.POST_START, Long.MAX_VALUE);
  }

  /**
   * Runs the preStop hook of a container, if it has one that has not run.
   *
   * @return whether the container has to wait for it
   */
  public boolean preStop(PodState pod, ContainerSlot slot) {
    SlotHooks hooks = slot.hooks();
    if (hooks == null) {
      return false;
    }
    if (hooks.running() == Moment.PRE_STOP) {
      hooks.shorten(slot.stop().deadline());
      return true;
    }
    if (!hooks.preStopDue()) {
      return false;
    }
    begin(pod, slot, Moment.PRE_STOP, slot.stop().deadline());
    return true;
  }

  /** Runs the preStop hook of a sidecar that still waits for other containers to end. */
  public void announce(PodState pod, ContainerSlot slot) {
    SlotHooks hooks = slot.hooks();
    if (hooks != null && hooks.preStopDue() && hooks.running() == null) {
      begin(pod, slot, Moment.PRE_STOP, pod.termination().deadline());
    }
  }

  private void begin(PodState pod, ContainerSlot slot, Moment moment, long limit) {
    SlotHooks hooks = slot.hooks();
    HandlerView handler = hooks == null ? null : hooks.handler(moment);
    ContainerRecord record = slot.current();
    if (hooks == null || handler == null || record == null) {
      return;
    }
    pod.changed();
    if (handler instanceof HandlerView.Sleep sleep) {
      hooks.begin(moment, Math.min(limit, calls.now() + sleep.seconds() * 1000));
      return;
    }
    int call = hooks.begin(moment, limit);
    HookRequest request =
        new HookRequest(pod.view(), pod.ip(), slot.view(), record.id(), moment, handler);
    calls.call(
        pod,
        RuntimeOperation.of(handler),
        () -> runtime.runHook(request),
        (nothing, failure) -> {
          if (hooks.awaits(call)) {
            if (failure == null) {
              end(pod, slot);
            } else {
              failed(pod, slot, request, failure);
            }
          }
        });
  }

  /** Ends the running hook, finished or timed out. */
  public void end(PodState pod, ContainerSlot slot) {
    SlotHooks hooks = slot.hooks();
    if (hooks == null || hooks.running() == null) {
      return;
    }
    boolean stopping = hooks.running() == Moment.PRE_STOP;
    hooks.done();
    pod.changed();
    if (stopping && slot.stop().deadline() != 0) {
      stop.accept(pod, slot);
    }
  }

  private void failed(PodState pod, ContainerSlot slot, HookRequest request, Throwable failure) {
    if (request.moment() == Moment.PRE_STOP) {
      events.warning(pod, slot, PodEvents.FAILED_PRE_STOP, "PreStopHook failed");
      end(pod, slot);
      return;
    }
    events.warning(pod, slot, PodEvents.FAILED_POST_START, "PostStartHook failed");
    end(pod, slot);
    if (ProviderException.kindOf(failure) == ProviderException.Kind.UNSUPPORTED) {
      // not the container's fault
      return;
    }
    if (pod.ending() || slot.stop().deadline() != 0) {
      // the container is being stopped already, perhaps with less grace
      return;
    }
    slot.wait(WaitReasons.POST_START_HOOK_ERROR, message(pod, slot, request, failure));
    if (slot.hooks() != null) {
      slot.hooks().startFailed();
    }
  }

  private static String message(
      PodState pod, ContainerSlot slot, HookRequest request, Throwable failure) {
    String whose =
        " for Container \""
            + slot.name()
            + "\" in Pod \""
            + PodEvents.describe(pod.view())
            + "\" failed - error: "
            + RuntimeCalls.text(failure);
    if (request.handler() instanceof HandlerView.Exec exec) {
      return "Exec lifecycle hook ([" + String.join(" ", exec.command()) + "])" + whose;
    }
    if (request.handler() instanceof HandlerView.HttpGet get) {
      return "HTTP lifecycle hook (" + get.path() + ")" + whose;
    }
    return "Lifecycle hook" + whose;
  }
}
