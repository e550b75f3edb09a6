package dev.vertlet.kubelet.podworker;

import dev.vertlet.bus.PodReport;
import dev.vertlet.env.PodReferences;
import dev.vertlet.kubelet.container.BackOffRange;
import dev.vertlet.kubelet.pod.CoreEnv;
import dev.vertlet.kubelet.pod.Held;
import dev.vertlet.kubelet.pod.OwnedStatus;
import dev.vertlet.kubelet.pod.PodState;
import dev.vertlet.kubelet.pod.PodState.Life;
import dev.vertlet.kubelet.pod.PodStates;
import dev.vertlet.kubelet.pod.RestingPod;
import dev.vertlet.model.pod.PodSpecView;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.status.PodPhase;
import dev.vertlet.model.status.PodStatusView;
import dev.vertlet.model.status.StatusPatch;
import dev.vertlet.provider.container.ContainerRuntime;
import dev.vertlet.provider.container.SandboxRecord;

/**
 * Lets a pod rest when nothing is under way for it, time alone changes nothing about it, and the
 * API server shows all that the core knows of it. Wakes the pod from its status, as a restarted
 * agent adopts one. Most pods of a load rest for most of their lives, and the core and its runtime
 * then take 56 bytes for each of them instead of a good 1,000, and no CPU.
 *
 * <p>Works only with runtimes that let pods rest. Pods with probes, hooks, sidecars, a deadline,
 * references to other objects or any history stay awake, as do pods with a pending or running
 * resize.
 */
public final class PodRest {
  private final CoreEnv env;
  private final ContainerRuntime runtime;
  private final WorkOptions options;
  private final PodStates pods;
  private final PodDriver driver;
  private final NetworkState network;

  public PodRest(
      CoreEnv env, WorkOptions options, PodStates pods, PodDriver driver, NetworkState network) {
    this.env = env;
    this.runtime = env.runtime();
    this.options = options;
    this.pods = pods;
    this.driver = driver;
    this.network = network;
  }

  /** Lets the pod rest if it can: the API server has this status, and no report is pending. */
  public void settled(PodView view) {
    Held held = pods.held(view.uid());
    if (held instanceof PodState pod) {
      if (pod.view().spec().hash() == view.spec().hash()) {
        rest(pod, view);
      }
    } else if (held instanceof RestingPod resting && resting.view() != view) {
      if (same(resting.view(), view) && runtime.rest(view)) {
        pods.put(new RestingPod(view, resting.ledger(), resting.share()));
      } else {
        pods.get(view.uid());
      }
    }
  }

  /** Whether a resting pod has not changed in anything that the core decides by. */
  private static boolean same(PodView before, PodView now) {
    return before.spec().hash() == now.spec().hash()
        && actedUpon(now)
        && OwnedStatus.of(before.status()).equals(OwnedStatus.of(now.status()));
  }

  /** Lets the pod rest if it can, after a timer found nothing to do. */
  public void quiet(PodState pod) {
    if (!pod.forgotten()) {
      rest(pod, pod.view());
    }
  }

  private void rest(PodState pod, PodView view) {
    if (quietFor(pod, view) && runtime.rest(view)) {
      driver.rest(pod);
      pods.put(new RestingPod(view, pod.ledger(), pod.share()));
    }
  }

  /** Cheap checks come first: a pod that fails one is checked again and again. */
  private boolean quietFor(PodState pod, PodView view) {
    return pod.life() == Life.SYNCING
        && view.status().phase() == PodPhase.RUNNING
        && !view.deleting()
        && actedUpon(view)
        && calm(pod)
        && plain(view.spec())
        && pod.containers().steady()
        && PodReferences.of(view, runtime.usesEnvironment()).isEmpty()
        && shows(OwnedStatus.of(view.status()), pod.status())
        && PodPlan.decide(pod, network.ready(), options.prePull(), env.clock().millis())
            .isNothing();
  }

  /** Whether the server shows the status, even if it does not keep all that is written. */
  private static boolean shows(PodStatusView server, PodStatusView status) {
    return server.equals(status)
        || (server.conditions().equals(status.conditions()) && !StatusPatch.needed(server, status));
  }

  private static boolean calm(PodState pod) {
    PodReport reported = pod.reported();
    SandboxRecord sandbox = pod.sandbox().record();
    return !pod.dirty()
        && !pod.turning()
        && !pod.deleting()
        && !pod.silenced()
        && pod.failure() == null
        && pod.sandbox().mounting() == null
        && !pod.logReads().pending()
        && pod.resizing() == null
        && !pod.sandbox().inFlight()
        && sandbox != null
        && sandbox.attempt() == 0
        && reported != null
        && reported.status() == pod.status()
        && !pod.awaited();
  }

  /** Whether the status shows the newest generation as acted upon; waking relies on it. */
  private static boolean actedUpon(PodView view) {
    Long acted = view.status().observedGeneration();
    return acted == null || acted >= view.generation();
  }

  /** Whether nothing in the spec depends on time or on other objects. */
  private static boolean plain(PodSpecView spec) {
    return spec.activeDeadlineSeconds() == null
        && spec.ephemeralContainers().isEmpty()
        && spec.placement().volumes().isEmpty();
  }

  /** Returns the pod as it was before its rest. */
  public PodState wake(RestingPod resting) {
    PodView view = resting.view();
    PodState pod = new PodState(view, OwnedStatus.of(view.status()), env.clock().instant());
    BackOffRange pauses = options.backOff().apply(pod.node());
    Adoption.adopt(pod, runtime.wake(view), env.clock().instant(), pauses, env.random());
    pod.woken(resting);
    driver.woken(pod);
    return pod;
  }
}
