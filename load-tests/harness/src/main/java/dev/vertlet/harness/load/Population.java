package dev.vertlet.harness.load;

import dev.vertlet.harness.load.TrackedPod.State;
import dev.vertlet.harness.scenario.Phase;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * All pods of a load, from request until gone, and their states. Pods that are gone are forgotten,
 * so a load of hours needs memory only for its current pods. Pure: takes observations with their
 * time in nanoseconds of one monotonic clock. Not thread-safe.
 */
final class Population {
  /** Pods by name, in the order of their creates. */
  private final Map<String, TrackedPod> pods = new LinkedHashMap<>();

  /** Deployments by name, in the order of their creates, until their last pod is gone. */
  private final Map<String, TrackedDeployment> deployments = new LinkedHashMap<>();

  private final Consumer<String> losses;
  private PhaseMeter meter = new PhaseMeter(new Phase.Hold("", true, Duration.ZERO), 0, 0);
  private int flips;
  private int lost;

  /**
   * @param losses receives a message for each lost pod
   */
  Population(Consumer<String> losses) {
    this.losses = losses;
  }

  /** Counts all events for this phase from now on. */
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

  /** Records the request of a pod. */
  void create(String namespace, String name, long from) {
    pods.put(name, new TrackedPod(namespace, name, null, from));
    meter.create(1, from);
  }

  /** Records the request of a Deployment. */
  void deploy(String namespace, String name, int replicas, long from) {
    deployments.put(name, new TrackedDeployment(namespace, name, replicas, from));
    meter.create(replicas, from);
  }

  /** Records the deletion of a pod; false when it is gone or being deleted. */
  boolean delete(TrackedPod pod, long from) {
    if (pods.get(pod.name()) != pod || pod.state() == State.ENDING) {
      return false;
    }
    live(pod, false);
    pod.end(from);
    meter.delete(from);
    return true;
  }

  /** Records the deletion of a Deployment and its pods. */
  void undeploy(TrackedDeployment deployment, long from) {
    deployment.end(from);
    deployment.pods().forEach(pod -> delete(pod, from));
    forget(deployment);
  }

  /** Sets whether a Ready pod has a lifetime that ends. */
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

  /** The oldest pods without a Deployment and without a requested deletion. */
  List<TrackedPod> oldest(int most) {
    return pods.values().stream()
        .filter(pod -> pod.deployment() == null && pod.state() != State.ENDING)
        .limit(most)
        .toList();
  }

  /** The oldest Deployments without a requested deletion. */
  List<TrackedDeployment> oldestDeployments(int most) {
    return deployments.values().stream()
        .filter(deployment -> !deployment.ending())
        .limit(most)
        .toList();
  }

  /** All pods that became Ready and whose deletion is not requested. */
  List<TrackedPod> standing() {
    return pods.values().stream().filter(pod -> pod.state() == State.STANDING).toList();
  }

  /** Names of the pods that have to become Ready or to go. */
  Set<String> waiting() {
    return pods.values().stream()
        .filter(pod -> pod.state() == State.STARTING || pod.state() == State.ENDING)
        .map(TrackedPod::name)
        .collect(Collectors.toSet());
  }

  /** Records a new or changed pod. Returns the pod when it became Ready for the first time. */
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

  /** Records that a pod no longer exists. */
  void gone(String name, long now) {
    TrackedPod pod = pods.remove(name);
    if (pod == null) {
      return;
    }
    switch (pod.state()) {
      case ENDING -> meter.gone(pod.from(), now);
      case STARTING, STANDING -> lose(pod, "vanished, and nobody asked it to");
      case LOST -> {} // counted before
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
    // a Deployment replaces its lost pod
    if (pod.state() == State.STARTING && pod.deployment() == null) {
      meter.lostBeforeReady(1);
    } else {
      meter.lost();
    }
    losses.accept("pod " + pod.name() + " " + how);
  }

  /** Counts all outstanding pods as lost; no phase waits for them any more. */
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
