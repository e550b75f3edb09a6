package dev.vertlet.simulated;

import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.status.ContainerStateView;
import dev.vertlet.model.status.ContainerStatusView;
import dev.vertlet.provider.container.ContainerRecord;
import dev.vertlet.provider.container.SandboxRecord;
import dev.vertlet.simulated.node.ImageStore;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Rebuilds a pod from the status in the API server. Containers are in the state they would have had
 * if the agent had never stopped: one whose run time passed meanwhile has ended on time.
 */
final class Adoption {
  private final Planner planner;

  Adoption(Planner planner) {
    this.planner = planner;
  }

  /**
   * Returns whether the pod's status shows a sandbox: a pod IP, or a container of a pod on the host
   * network. A pod that has ended has none, although its status keeps the address.
   */
  static boolean hasSandbox(PodView view) {
    if (view.status().phase().terminal()) {
      return false;
    }
    return view.spec().hostNetwork()
        ? statuses(view).stream().anyMatch(status -> status.containerId() != null)
        : !view.status().podIPs().isEmpty();
  }

  /** Rebuilds a pod with a sandbox as of {@code now} and adds its images to the node. */
  SimulatedPod adopt(PodView view, SimulatedNode node, long now) {
    List<String> ips = view.spec().hostNetwork() ? List.of() : view.status().podIPs();
    SandboxRecord sandbox = new SandboxRecord(Ids.sandbox(view.uid(), 0), 0, ips);
    SimulatedPod pod = new SimulatedPod(view.ref(), node, sandbox, planner.ports(view));
    for (ContainerStatusView status : statuses(view)) {
      adopt(pod, view, status, now);
    }
    return pod;
  }

  private static List<ContainerStatusView> statuses(PodView view) {
    return Stream.of(
            view.status().initContainerStatuses(),
            view.status().containerStatuses(),
            view.status().ephemeralContainerStatuses())
        .flatMap(List::stream)
        .toList();
  }

  private void adopt(SimulatedPod pod, PodView view, ContainerStatusView status, long now) {
    for (ContainerRecord record : dead(view, status)) {
      pod.add(Instance.ended(pod, record));
    }
    if (status.state() instanceof ContainerStateView.Running running) {
      Instance instance = running(pod, view, status, running);
      while (instance.step(now) != Instance.Change.NONE) {
        // the record reports changes from the time without an agent; the listener does not
      }
      pod.add(instance);
    }
    if (pod.byName(status.name()) != null) {
      pod.node.images().add(status.image());
    }
  }

  /** Returns the ended instances in a container status, oldest first. */
  private static List<ContainerRecord> dead(PodView view, ContainerStatusView status) {
    List<ContainerRecord> dead = new ArrayList<>(2);
    int attempt = status.restartCount();
    ContainerStateView state = status.state();
    if (status.lastState() instanceof ContainerStateView.Terminated last) {
      // a container in CrashLoopBackOff has no newer instance than its last one
      boolean newer = !(state instanceof ContainerStateView.Waiting) && state != null;
      int lastAttempt = newer ? Math.max(0, attempt - 1) : attempt;
      dead.add(record(view, status, lastAttempt, last, last.containerId(), null));
    }
    if (state instanceof ContainerStateView.Terminated ended) {
      String id = ended.containerId() == null ? status.containerId() : ended.containerId();
      dead.add(record(view, status, attempt, ended, id, null));
    }
    return dead;
  }

  private Instance running(
      SimulatedPod pod,
      PodView view,
      ContainerStatusView status,
      ContainerStateView.Running running) {
    Plan plan = planner.plan(view, status.name(), status.restartCount());
    Boolean ready = plan.readyDelay() == 0 ? null : Boolean.valueOf(status.ready());
    return Instance.running(
        pod,
        record(view, status, status.restartCount(), running, status.containerId(), ready),
        plan,
        startedAt(view, running).toEpochMilli());
  }

  /**
   * Returns the start time. Every kubelet writes startedAt; the fallbacks handle a status that was
   * edited by hand.
   */
  private static Instant startedAt(PodView view, ContainerStateView.Running running) {
    if (running.startedAt() != null) {
      return running.startedAt();
    }
    Instant podStart = view.status().startTime();
    return podStart == null ? Instant.EPOCH : podStart;
  }

  private static ContainerRecord record(
      PodView view,
      ContainerStatusView status,
      int attempt,
      ContainerStateView state,
      @Nullable String id,
      @Nullable Boolean ready) {
    return new ContainerRecord(
        id == null ? Ids.container(view.uid(), status.name(), attempt) : id,
        status.name(),
        attempt,
        status.image(),
        status.imageId().isEmpty() ? ImageStore.idOf(status.image()) : status.imageId(),
        state,
        null,
        ready,
        status.user());
  }
}
