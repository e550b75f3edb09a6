package dev.vertlet.simulated;

import dev.vertlet.model.PodRef;
import dev.vertlet.model.PodView;
import dev.vertlet.provider.ProviderException;
import dev.vertlet.provider.SandboxRecord;
import io.vertx.core.Future;
import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Creates sandboxes: at once, after a delay, or never. */
final class Sandboxes {
  private final Clock clock;
  private final DeadlineQueue queue;
  private final PodTable pods;
  private final Planner planner;

  /** Pending sandboxes by pod UID. */
  private final Map<String, NewSandbox> pending = new HashMap<>();

  Sandboxes(Clock clock, DeadlineQueue queue, PodTable pods, Planner planner) {
    this.clock = clock;
    this.queue = queue;
    this.pods = pods;
    this.planner = planner;
  }

  /** Creates the sandbox of a pod without one. */
  Future<SandboxRecord> make(PodView view, int attempt) {
    NewSandbox known = pending.get(view.uid());
    if (known != null && known.attempt >= attempt) {
      return known.result();
    }
    cancel(view.ref(), "SandboxReplaced", "another attempt was asked for");
    Plan plan = planner.sandbox(view, attempt);
    if (plan.sandboxDelay() > 0) {
      NewSandbox made =
          new NewSandbox(view, attempt, Plan.after(clock.millis(), plan.sandboxDelay()));
      pending.put(view.uid(), made);
      queue.schedule(made);
      return made.result();
    }
    try {
      return Future.succeededFuture(create(view, attempt, plan));
    } catch (ProviderException e) {
      return Future.failedFuture(e);
    }
  }

  /** Completes a sandbox whose delay has passed. */
  void finish(NewSandbox due) {
    pending.remove(due.pod.uid(), due);
    SandboxRecord made;
    try {
      made = create(due.pod, due.attempt, planner.sandbox(due.pod, due.attempt));
    } catch (ProviderException e) {
      due.failed(e);
      return;
    }
    due.made(made);
  }

  private SandboxRecord create(PodView view, int attempt, Plan plan) {
    String error = plan.errors().sandbox();
    if (error != null) {
      throw new ProviderException(ProviderException.Kind.TEMPORARY, "CreatePodSandboxError", error);
    }
    return pods.create(view, attempt, plan.ports()).sandbox();
  }

  /** Fails the pod's pending sandbox. */
  void cancel(PodRef pod, String reason, String message) {
    NewSandbox unwanted = pending.remove(pod.uid());
    if (unwanted != null) {
      queue.remove(unwanted);
      unwanted.abort(reason, message);
    }
  }

  /** Fails the node's pending sandboxes: another agent may serve the node. */
  void release(String node) {
    for (NewSandbox each : List.copyOf(pending.values())) {
      if (each.pod.nodeName().equals(node)) {
        cancel(each.pod.ref(), "NodeReleased", "another agent may serve the node now");
      }
    }
  }

  /** Fails all pending sandboxes: the runtime stops. */
  void close() {
    for (NewSandbox each : List.copyOf(pending.values())) {
      cancel(each.pod.ref(), "RuntimeStopped", "the runtime was stopped");
    }
  }
}
