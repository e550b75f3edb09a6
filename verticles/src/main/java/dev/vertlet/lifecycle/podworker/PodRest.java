package dev.vertlet.lifecycle.podworker;

import dev.vertlet.bus.PodReport;
import dev.vertlet.env.PodReferences;
import dev.vertlet.lifecycle.container.BackOffRange;
import dev.vertlet.lifecycle.pod.CoreEnv;
import dev.vertlet.lifecycle.pod.Held;
import dev.vertlet.lifecycle.pod.OwnedStatus;
import dev.vertlet.lifecycle.pod.PodState;
import dev.vertlet.lifecycle.pod.PodState.Life;
import dev.vertlet.lifecycle.pod.PodStates;
import dev.vertlet.lifecycle.pod.RestingPod;
import dev.vertlet.model.PodPhase;
import dev.vertlet.model.PodSpecView;
import dev.vertlet.model.PodStatusView;
import dev.vertlet.model.PodView;
import dev.vertlet.model.StatusPatch;
import dev.vertlet.provider.ContainerRuntime;
import dev.vertlet.provider.SandboxRecord;

/**
 * Lets a pod rest when nothing is under way for it, no time will change anything about it, and the
 * API server shows all that the core remembers of it. It is woken as a pod is adopted after a
 * restart of the agent: out of its status. Most pods of a load rest for most of their lives, and
 * the core and its runtime then take 56 bytes for each of them instead of a good 1,000, and no CPU.
 *
 * <p>Only for profile {@code fast}, and for runtimes that let pods rest, too. Pods with probes,
 * hooks, sidecars, a deadline, references to other objects or any history stay awake, as do those
 * that are being resized, or wait to be.
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

  /** The API server holds the pod like this, and nobody wants anything of it. */
  public void settled(PodView view) {
    Held held = options.fast() ? pods.held(view.uid()) : null;
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

  /** Whether a pod that rests is as it was, but for what nobody here decides by. */
  private static boolean same(PodView before, PodView now) {
    return before.spec().hash() == now.spec().hash()
        && actedUpon(now)
        && OwnedStatus.of(before.status()).equals(OwnedStatus.of(now.status()));
  }

  /** Time has passed and nothing was to be done for the pod. */
  public void quiet(PodState pod) {
    if (options.fast() && !pod.forgotten()) {
      rest(pod, pod.view());
    }
  }

  private void rest(PodState pod, PodView view) {
    if (quietFor(pod, view) && runtime.rest(view)) {
      driver.rest(pod);
      pods.put(new RestingPod(view, pod.ledger(), pod.share()));
    }
  }

  /** Cheap questions first: a pod of which one is answered with no is asked again and again. */
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

  /** Also where the server does not keep all that is written. */
  private static boolean shows(PodStatusView server, PodStatusView status) {
    return server.equals(status)
        || (server.conditions().equals(status.conditions()) && !StatusPatch.needed(server, status));
  }

  private static boolean calm(PodState pod) {
    PodReport reported = pod.reported();
    SandboxRecord sandbox = pod.sandbox().record();
    return !pod.dirty()
        && !pod.turns().under()
        && !pod.deleting()
        && !pod.silenced()
        && pod.failure() == null
        && pod.sandbox().mounting() == null
        && pod.messageReads() == null
        && pod.resizing() == null
        && !pod.sandbox().inFlight()
        && sandbox != null
        && sandbox.attempt() == 0
        && reported != null
        && reported.status() == pod.status()
        && !pod.awaited();
  }

  /** It is told that what runs is of the newest generation, by which it is taken up again. */
  private static boolean actedUpon(PodView view) {
    Long acted = view.status().observedGeneration();
    return acted == null || acted >= view.generation();
  }

  /** Nothing in the definition is about time or about other objects. */
  private static boolean plain(PodSpecView spec) {
    return spec.activeDeadlineSeconds() == null
        && spec.ephemeralContainers().isEmpty()
        && spec.placement().volumes().isEmpty();
  }

  /** The same pod as it was before it rested. */
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
