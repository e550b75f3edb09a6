package dev.vertlet.harness.load;

import dev.vertlet.harness.load.TrackedPod.State;
import dev.vertlet.harness.scenario.Phase;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * All pods of a load that exist or were asked for, and what becomes of them. What is gone is
 * forgotten: a load that runs for hours grows no larger than its pods. Pure: it is told what was
 * seen when, in nanoseconds of one monotonic clock. Not thread-safe.
 */
final class Population {
  /** In order of their creates. */
  private final Map<String, TrackedPod> pods = new LinkedHashMap<>();

  /** The same of those that are not asked to go and have pods still. */
  private final Map<String, TrackedDeployment> deployments = new LinkedHashMap<>();

  private final Consumer<String> losses;
  private PhaseMeter meter = new PhaseMeter(new Phase.Hold("", true, Duration.ZERO), 0, 0);
  private int flips;
  private int lost;

  /**
   * @param losses told each pod that was lost, and how
   */
  Population(Consumer<String> losses) {
    this.losses = losses;
  }

  /** From now on, everything counts for this phase. */
  void begin(PhaseMeter next) {
    meter = next;
  }

  PhaseMeter meter() {
    return meter;
  }

  int flips() {
    return flips;
  }

  int lost() {
    return lost;
  }

  /** A pod is asked for. */
  void create(String namespace, String name, long from) {
    pods.put(name, new TrackedPod(namespace, name, null, from));
    meter.create(1, from);
  }

  /** A Deployment is asked for. */
  void deploy(String namespace, String name, int replicas, long from) {
    deployments.put(name, new TrackedDeployment(namespace, name, replicas, from));
    meter.create(replicas, from);
  }

  /** A pod is asked to go; false when it has gone already. */
  boolean delete(TrackedPod pod, long from) {
    if (pods.get(pod.name()) != pod || pod.state() == State.ENDING) {
      return false;
    }
    live(pod, false);
    pod.end(from);
    meter.delete(from);
    return true;
  }

  /** A Deployment is asked to go, and its pods with it. */
  void undeploy(TrackedDeployment deployment, long from) {
    deployment.end(from);
    deployment.pods().forEach(pod -> delete(pod, from));
    forget(deployment);
  }

  /** Whether a pod that has become Ready has a life that ends. */
  void live(TrackedPod pod, boolean mortal) {
    if (mortal == pod.mortal()) {
      return;
    }
    pod.setMortal(mortal);
    if (mortal) {
      meter.lives();
    } else {
      meter.lived();
    }
  }

  /** The oldest pods that no Deployment keeps and nobody asked to go. */
  List<TrackedPod> oldest(int most) {
    return pods.values().stream()
        .filter(pod -> pod.deployment() == null && pod.state() != State.ENDING)
        .limit(most)
        .toList();
  }

  /** The oldest Deployments that nobody asked to go. */
  List<TrackedDeployment> oldestDeployments(int most) {
    return deployments.values().stream()
        .filter(deployment -> !deployment.ending())
        .limit(most)
        .toList();
  }

  /** All pods that became Ready and that nobody asked to go. */
  List<TrackedPod> standing() {
    return pods.values().stream().filter(pod -> pod.state() == State.STANDING).toList();
  }

  /** A pod is new or has changed. Returns it when it became Ready for the first time. */
  @Nullable TrackedPod observe(PodSight sight, long now) {
    TrackedPod pod = find(sight, now);
    if (pod == null || sight.deleting() || pod.state() == State.ENDING) {
      return null;
    }
    if (pod.ready() && !sight.ready()) {
      flips++;
    }
    pod.setReady(sight.ready());
    if (pod.state() == State.LOST) {
      return null;
    }
    if (sight.failure().isPresent()) {
      lose(pod, "failed: " + sight.failure().get());
      pod.become(State.LOST);
      return null;
    }
    return sight.ready() && pod.state() == State.STARTING ? arrive(pod, now) : null;
  }

  private @Nullable TrackedPod find(PodSight sight, long now) {
    TrackedPod known = pods.get(sight.name());
    TrackedDeployment deployment = sight.deployment().map(deployments::get).orElse(null);
    if (known != null || deployment == null) {
      return known;
    }
    TrackedPod pod = new TrackedPod(sight.namespace(), sight.name(), deployment, deployment.from());
    pods.put(pod.name(), pod);
    deployment.pods().add(pod);
    if (deployment.ending()) {
      delete(pod, now);
    }
    return pod;
  }

  private TrackedPod arrive(TrackedPod pod, long now) {
    pod.become(State.STANDING);
    TrackedDeployment deployment = pod.deployment();
    if (deployment == null || deployment.arrive()) {
      meter.ready(pod.from(), now);
    }
    return pod;
  }

  /** A pod is not there any more. */
  void gone(String name, long now) {
    TrackedPod pod = pods.remove(name);
    if (pod == null) {
      return;
    }
    switch (pod.state()) {
      case ENDING -> meter.gone(pod.from(), now);
      case STARTING, STANDING -> lose(pod, "vanished, and nobody asked it to");
      case LOST -> {} // was counted before
    }
    TrackedDeployment deployment = pod.deployment();
    if (deployment != null) {
      deployment.pods().remove(pod);
      forget(deployment);
    }
  }

  private void forget(TrackedDeployment deployment) {
    if (deployment.ending() && deployment.pods().isEmpty()) {
      deployments.remove(deployment.name());
    }
  }

  private void lose(TrackedPod pod, String how) {
    lost++;
    live(pod, false);
    // a Deployment gets another one in its place
    if (pod.state() == State.STARTING && pod.deployment() == null) {
      meter.lostBeforeReady(1);
    } else {
      meter.lost();
    }
    losses.accept("pod " + pod.name() + " " + how);
  }

  /** Whatever has not arrived is lost, and no phase waits for it any more. */
  void giveUp() {
    for (TrackedPod pod : pods.values()) {
      live(pod, false);
      if (pod.state() == State.STARTING) {
        if (pod.deployment() == null) {
          lose(pod, "did not become Ready in time");
        }
        pod.become(State.LOST);
      } else if (pod.state() == State.ENDING) {
        lost++;
        meter.lostBeforeGone();
        losses.accept("pod " + pod.name() + " did not go in time");
        pod.become(State.LOST);
      }
    }
    for (TrackedDeployment deployment : deployments.values()) {
      if (!deployment.ending() && deployment.missing() > 0) {
        lost += deployment.missing();
        meter.lostBeforeReady(deployment.missing());
        losses.accept(
            "%d pods of Deployment %s did not become Ready in time"
                .formatted(deployment.missing(), deployment.name()));
        deployment.giveUp();
      }
    }
  }
}
