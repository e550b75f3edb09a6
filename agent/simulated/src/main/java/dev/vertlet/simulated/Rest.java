package dev.vertlet.simulated;

import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.status.ContainerStateView.Running;
import dev.vertlet.model.status.ContainerStatusView;
import dev.vertlet.provider.container.ContainerRecord;
import dev.vertlet.provider.container.SandboxRecord;
import dev.vertlet.simulated.rule.ListeningPorts;
import java.time.Instant;
import java.util.List;

/**
 * Decides which pods can be stored as their status alone, and rebuilds them from it. Rules are not
 * consulted, so a rule that changed meanwhile applies only to what starts later, as for any pod.
 */
final class Rest {
  private Rest() {}

  /** Returns whether this state alone can restore the whole pod. */
  static boolean possible(SimulatedPod pod, PodView view) {
    List<ContainerStatusView> statuses = view.status().containerStatuses();
    List<Instance> instances = pod.instances();
    if (!pod.isPlain()
        || statuses.size() != instances.size()
        || !(view.spec().hostNetwork() || view.status().podIPs().equals(pod.ips()))) {
      return false;
    }
    for (ContainerStatusView status : statuses) {
      Instance instance = pod.byName(status.name());
      if (instance == null || !instance.isPlain() || !shows(status, instance.record())) {
        return false;
      }
    }
    return true;
  }

  private static boolean shows(ContainerStatusView status, ContainerRecord record) {
    return record.id().equals(status.containerId())
        && record.image().equals(status.image())
        && record.imageId().equals(status.imageId())
        && record.state().equals(status.state())
        && status.state() instanceof Running running
        && running.startedAt() != null;
  }

  /** Rebuilds a resting pod. */
  static SimulatedPod wake(PodView view, SimulatedNode node) {
    List<String> ips = view.spec().hostNetwork() ? List.of() : view.status().podIPs();
    SandboxRecord sandbox = new SandboxRecord(Ids.sandbox(view.uid(), 0), 0, ips);
    SimulatedPod pod = new SimulatedPod(view.ref(), node, sandbox, ListeningPorts.ANY);
    for (ContainerStatusView status : view.status().containerStatuses()) {
      if (status.state() instanceof Running running) {
        Instant startedAt = running.startedAt() == null ? Instant.EPOCH : running.startedAt();
        pod.add(Instance.rested(pod, record(status, running), startedAt.toEpochMilli()));
      }
    }
    return pod;
  }

  private static ContainerRecord record(ContainerStatusView status, Running running) {
    return new ContainerRecord(
        String.valueOf(status.containerId()),
        status.name(),
        0,
        status.image(),
        status.imageId(),
        running,
        null,
        null,
        status.user());
  }
}
