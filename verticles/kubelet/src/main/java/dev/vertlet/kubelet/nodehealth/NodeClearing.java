package dev.vertlet.kubelet.nodehealth;

import dev.vertlet.admission.NodeStrain;
import dev.vertlet.admission.Preemption;
import dev.vertlet.admission.Rejection.Lack;
import dev.vertlet.kubelet.pod.Disruption;
import dev.vertlet.kubelet.pod.PodState;
import dev.vertlet.kubelet.pod.PodStates;
import dev.vertlet.kubelet.podworker.PodDriver;
import dev.vertlet.loop.CoreLoop;
import dev.vertlet.model.pod.PodView;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Ends pods for the sake of others: those that a critical pod preempts, and all of them when their
 * nodes shut down. Runs on the core's loop.
 */
public final class NodeClearing {
  private static final Disruption PREEMPTED =
      new Disruption(
          "Preempting",
          "Preempted in order to admit critical pod",
          "Pod was preempted by Kubelet to accommodate a critical pod.",
          true);

  private static final String SHUTDOWN_MESSAGE =
      "Pod was terminated in response to imminent node shutdown.";
  private static final Disruption SHUTDOWN =
      new Disruption("Terminated", SHUTDOWN_MESSAGE, SHUTDOWN_MESSAGE, false);

  /** Least time of a preempted pod, milliseconds; else 1.5 times its grace (killPodNow). */
  private static final long LEAST_PATIENCE = 10_000;

  /** Period of checks for the end of all pods, milliseconds; short, as users wait. */
  private static final long LOOK = 100;

  private final CoreLoop loop;
  private final PodDriver driver;
  private final PodStates pods;
  private boolean shuttingDown;

  public NodeClearing(CoreLoop loop, PodDriver driver, PodStates pods) {
    this.loop = loop;
    this.driver = driver;
    this.pods = pods;
  }

  /** Adds the shutdown, if one is under way. */
  public NodeStrain strain(NodeStrain other) {
    return shuttingDown ? other.inShutdown() : other;
  }

  /**
   * Chooses the pods to preempt for this one; ends none.
   *
   * @param lacks the resources that its node is short of
   */
  Preemption choose(PodState pod, List<Lack> lacks) {
    List<PodView> others = new ArrayList<>();
    for (PodState other : pods.of(pod.node())) {
      if (other != pod && other.isOn(pod.node()) && other.active()) {
        others.add(other.view());
      }
    }
    return Preemption.choose(pod.view(), others, lacks);
  }

  /**
   * Ends the chosen pods.
   *
   * @return completes when none of them runs any more, or their time is over
   */
  Future<Void> preempt(List<PodView> victims) {
    List<Future<Void>> ends = new ArrayList<>();
    for (PodView victim : victims) {
      PodState pod = pods.get(victim.uid());
      if (pod != null) {
        ends.add(preempt(pod));
      }
    }
    return Future.all(ends).mapEmpty();
  }

  private Future<Void> preempt(PodState pod) {
    Promise<Void> gone = Promise.promise();
    long grace = pod.view().spec().terminationGracePeriodSeconds() * 1000;
    pod.whenReleased(() -> loop.later(gone::tryComplete));
    loop.setTimer(Math.max(LEAST_PATIENCE, grace + grace / 2), gone::tryComplete);
    driver.disrupt(pod, PREEMPTED, Duration.ofMillis(grace));
    return gone.future();
  }

  /**
   * Ends all pods, and admits no more.
   *
   * @param limit most time of a pod
   * @return completes when all have ended or the time is over
   */
  public Future<Void> shutDown(Duration limit) {
    shuttingDown = true;
    for (PodState pod : pods.all()) {
      if (pod.active()) {
        Duration own = Duration.ofSeconds(pod.view().spec().terminationGracePeriodSeconds());
        driver.disrupt(pod, SHUTDOWN, own.compareTo(limit) < 0 ? own : limit);
      }
    }
    Promise<Void> over = Promise.promise();
    await(over, limit.toMillis());
    return over.future();
  }

  private void await(Promise<Void> over, long left) {
    boolean ended = pods.awake().noneMatch(PodState::ending);
    if (ended || left <= 0) {
      over.complete();
    } else {
      loop.setTimer(LOOK, () -> await(over, left - LOOK));
    }
  }
}
