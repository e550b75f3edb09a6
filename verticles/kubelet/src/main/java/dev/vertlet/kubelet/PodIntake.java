package dev.vertlet.kubelet;

import dev.vertlet.admission.Rejection;
import dev.vertlet.kubelet.container.BackOffRange;
import dev.vertlet.kubelet.container.RestartRules;
import dev.vertlet.kubelet.nodehealth.NodeAdmission;
import dev.vertlet.kubelet.pod.CoreEnv;
import dev.vertlet.kubelet.pod.Held;
import dev.vertlet.kubelet.pod.OwnedStatus;
import dev.vertlet.kubelet.pod.PodState;
import dev.vertlet.kubelet.pod.PodStates;
import dev.vertlet.kubelet.pod.RuntimeOperation;
import dev.vertlet.kubelet.podworker.Adoption;
import dev.vertlet.kubelet.podworker.PodDriver;
import dev.vertlet.kubelet.resize.ResizeQueue;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.resource.Allocation;
import dev.vertlet.provider.container.RuntimePod;
import dev.vertlet.provider.failure.ProviderException;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Takes pods into the core, each after a look-up in the runtime. */
final class PodIntake {
  private final CoreEnv env;
  private final PodDriver driver;
  private final NodeAdmission admission;
  private final ResizeQueue resizes;
  private final PodStates pods;
  private final KubeletNodes nodes;

  /** Look-ups without an answer, by UID: a repeated request shares the pending one. */
  private final Map<String, Future<Void>> pending = new HashMap<>();

  /**
   * @param pods by UID; adopted pods are added here
   * @param nodes settings of the nodes
   */
  PodIntake(
      CoreEnv env,
      PodDriver driver,
      NodeAdmission admission,
      ResizeQueue resizes,
      PodStates pods,
      KubeletNodes nodes) {
    this.env = env;
    this.driver = driver;
    this.admission = admission;
    this.resizes = resizes;
    this.pods = pods;
    this.nodes = nodes;
  }

  /** Returns the pending look-up of this pod, or null. */
  @Nullable Future<Void> pending(String uid) {
    return pending.get(uid);
  }

  /**
   * Takes in a pod that the core does not know.
   *
   * @param grace of a pod that is taken in only to be ended, else null
   * @return completes when the pod is taken in or rejected; fails, and leaves no trace, when the
   *     runtime or, for the node, the API server cannot be asked
   */
  Future<Void> adopt(PodView created, @Nullable Duration grace) {
    PodView asked = RestartRules.on(nodes.policy().apply(created.nodeName()), created);
    PodView view = Allocation.shown(asked);
    PodState pod = new PodState(view, OwnedStatus.of(view.status()), env.clock().instant());
    pod.restoreResize(asked, env.clock().millis() + ResizeQueue.SETTLED);
    pods.put(pod);
    endIfDeleting(pod, grace);
    if (accepted(view)) {
      admission.charge(pod);
    }
    Future<Void> adoption =
        env.loop()
            .bring(
                env.meters()
                    .measure(RuntimeOperation.SANDBOX_STATUS, () -> env.runtime().restore(view)))
            .transform(
                found ->
                    found.succeeded()
                        ? restored(pod, found.result().orElse(null))
                        : notRestored(pod, found.cause()));
    if (!adoption.isComplete()) {
      pending.put(view.uid(), adoption);
      adoption.onComplete(done -> pending.remove(view.uid(), adoption));
      driver.drive(pod);
    }
    return adoption;
  }

  /** Ends a pod that is being deleted, or shortens its grace. */
  void endIfDeleting(PodState pod, @Nullable Duration grace) {
    PodView view = pod.view();
    if (grace == null && !view.deleting()) {
      return;
    }
    Long seconds = view.deletionGracePeriodSeconds();
    long asked = seconds == null ? 0 : seconds * 1000;
    pod.delete(grace == null ? asked : grace.toMillis(), env.clock().millis());
  }

  private Future<Void> notRestored(PodState pod, Throwable failure) {
    if (ProviderException.kindOf(failure) == ProviderException.Kind.NOT_FOUND) {
      return restored(pod, null);
    }
    forget(pod);
    return Future.failedFuture(failure);
  }

  /** Whether this agent or an earlier one has admitted the pod. */
  private static boolean accepted(PodView view) {
    return view.status().startTime() != null && !view.status().phase().terminal();
  }

  private Future<Void> restored(PodState pod, @Nullable RuntimePod found) {
    PodView view = pod.view();
    boolean over = pod.finished() || view.status().phase().terminal();
    if (over || pod.forgotten() || pod.termination().due() || accepted(view)) {
      return enter(pod, found);
    }
    if (found != null) {
      admission.charge(pod);
      return enter(pod, found);
    }
    return admission
        .admit(pod)
        .transform(
            decided -> {
              if (decided.failed()) {
                forget(pod);
                return Future.failedFuture(decided.cause());
              }
              return decided
                  .result()
                  .map(rejection -> refuse(pod, rejection))
                  .orElseGet(() -> enter(pod, null));
            });
  }

  /** Rejects the pod, unless it is ending or over already. */
  private Future<Void> refuse(PodState pod, Rejection rejection) {
    boolean waits = pod.life() == PodState.Life.RESTORING && !pod.termination().due();
    if (!waits || pod.forgotten()) {
      return enter(pod, null);
    }
    driver.reject(pod, rejection);
    return Future.succeededFuture();
  }

  private Future<Void> enter(PodState pod, @Nullable RuntimePod found) {
    if (pod.finished()) {
      // the answer came after the pod's grace was over
      if (found != null) {
        driver.removeLate(pod);
      }
    } else if (!pod.forgotten()) {
      BackOffRange pauses = nodes.times().apply(pod.node()).backOff();
      Adoption.adopt(pod, found, env.clock().instant(), pauses, env.random());
      if (pod.finished()) {
        driver.publish(pod);
      } else {
        driver.letIn(pod);
        driver.refer(pod);
        driver.drive(pod);
        resizes.entered(pod);
      }
    }
    return Future.succeededFuture();
  }

  /** Removes the pod from the core. */
  void forget(Held pod) {
    pods.remove(pod);
    pending.remove(pod.uid());
    driver.forget(pod);
  }
}
