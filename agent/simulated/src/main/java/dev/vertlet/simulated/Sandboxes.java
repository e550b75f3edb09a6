package dev.vertlet.simulated;

import dev.vertlet.model.PodRef;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.provider.container.SandboxRecord;
import dev.vertlet.provider.failure.ProviderException;
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

  /** Pending sandboxes by pod UID; some never complete. */
  private final Map<String, Pending> pending = new HashMap<>();

  private record Pending(PodView pod, int attempt, DelayedCall<SandboxRecord> call) {}

  Sandboxes(Clock clock, DeadlineQueue queue, PodTable pods, Planner planner) {
    this.clock = clock;
    this.queue = queue;
    this.pods = pods;
    this.planner = planner;
  }

  /** Creates the sandbox of a pod without one. */
  Future<SandboxRecord> make(PodView view, int attempt) {
    Pending known = pending.get(view.uid());
    if (known != null && known.attempt >= attempt) {
      return known.call.result();
    }
    cancel(view.ref(), "SandboxReplaced", "another attempt was asked for");
    Plan plan = planner.sandbox(view, attempt);
    if (plan.sandboxDelay() == 0) {
      return create(view, attempt, plan);
    }
    DelayedCall<SandboxRecord> call =
        new DelayedCall<>(
            Plan.after(clock.millis(), plan.sandboxDelay()), () -> finish(view, attempt));
    pending.put(view.uid(), new Pending(view, attempt, call));
    queue.schedule(call);
    return call.result();
  }

  /** Creates a sandbox whose delay has passed. */
  private Future<SandboxRecord> finish(PodView view, int attempt) {
    pending.remove(view.uid());
    return create(view, attempt, planner.sandbox(view, attempt));
  }

  private Future<SandboxRecord> create(PodView view, int attempt, Plan plan) {
    String error = plan.errors().sandbox();
    if (error != null) {
      return Future.failedFuture(
          new ProviderException(ProviderException.Kind.TEMPORARY, "CreatePodSandboxError", error));
    }
    try {
      return Future.succeededFuture(pods.create(view, attempt, plan.ports()).sandbox());
    } catch (ProviderException e) {
      return Future.failedFuture(e);
    }
  }

  /** Fails the pod's pending sandbox. */
  void cancel(PodRef pod, String reason, String message) {
    Pending unwanted = pending.remove(pod.uid());
    if (unwanted != null) {
      queue.remove(unwanted.call);
      unwanted.call.fail(reason, "sandbox of pod " + pod.display() + ": " + message);
    }
  }

  /** Fails the node's pending sandboxes: another agent may serve the node. */
  void release(String node) {
    for (Pending each : List.copyOf(pending.values())) {
      if (each.pod.nodeName().equals(node)) {
        cancel(each.pod.ref(), "NodeReleased", "another agent may serve the node now");
      }
    }
  }

  /** Fails all pending sandboxes: the runtime stops. */
  void close() {
    for (Pending each : List.copyOf(pending.values())) {
      cancel(each.pod.ref(), "RuntimeStopped", "the runtime was stopped");
    }
  }
}
