package dev.vertlet.lifecycle;

import dev.vertlet.model.ConditionView;
import dev.vertlet.model.ContainerStatusView;
import dev.vertlet.model.PodPhase;
import dev.vertlet.model.PodStatusView;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the API server should show of a pod. A function of the pod's state and the time. */
final class StatusAssembly {
  private StatusAssembly() {}

  /**
   * The part of the API server's status that a kubelet owns, in the form in which it is assembled.
   */
  static PodStatusView owned(PodStatusView api) {
    return new PodStatusView(
        api.phase(),
        api.reason(),
        api.message(),
        api.hostIP(),
        api.podIPs(),
        api.startTime(),
        api.observedGeneration(),
        PodConditions.owned(api.conditions()),
        api.initContainerStatuses(),
        api.containerStatuses(),
        api.ephemeralContainerStatuses());
  }

  /**
   * @param hostIP of the pod's node, empty when it has none
   * @return the status shown so far, the same object, when nothing changed
   */
  static PodStatusView assemble(PodState pod, String hostIP, Instant now) {
    PodStatusView before = pod.status;
    ContainerStatuses containers = new ContainerStatuses(pod);
    List<ContainerStatusView> init = containers.of(pod.init);
    List<ContainerStatusView> regular = containers.of(pod.regular);
    boolean ended = (pod.ending() || pod.life == PodState.Life.FINISHED) && !pod.mayRun();
    if (ended) {
      regular = ContainerStatuses.closed(regular, init, pod);
      init = ContainerStatuses.closedInit(init);
    }
    PodPhase decided = decided(pod, before, init, regular, ended);
    PodPhase shown = decided.terminal() && !ended ? before.phase() : decided;
    boolean failed =
        shown == PodPhase.FAILED && pod.failReason != null && !before.phase().terminal();
    boolean same = shown == before.phase() && !failed;
    List<ConditionView> conditions =
        PodConditions.of(
            pod.pod,
            before,
            decided,
            pod.sandbox != null,
            init,
            regular,
            now.truncatedTo(ChronoUnit.SECONDS));
    PodStatusView made =
        new PodStatusView(
            shown,
            same ? before.reason() : failed ? pod.failReason : null,
            same ? before.message() : failed ? pod.failMessage : null,
            hostIP.isEmpty() ? before.hostIP() : hostIP,
            podIPs(pod, before, hostIP),
            pod.startTime.truncatedTo(ChronoUnit.SECONDS),
            generation(pod, before),
            conditions,
            init,
            regular,
            containers.of(pod.ephemeral));
    return made.equals(before) ? before : made;
  }

  private static PodPhase decided(
      PodState pod,
      PodStatusView before,
      List<ContainerStatusView> init,
      List<ContainerStatusView> regular,
      boolean ended) {
    if (before.phase().terminal()) {
      return before.phase();
    }
    if (pod.failReason != null) {
      return PodPhase.FAILED;
    }
    PodPhase phase = PodPhases.of(pod.pod.spec(), init, regular, ended, pod.initialized());
    return ended && !phase.terminal() ? PodPhase.FAILED : phase;
  }

  private static List<String> podIPs(PodState pod, PodStatusView before, String hostIP) {
    if (pod.pod.spec().hostNetwork()) {
      // the node's address stays even if the node gets another one
      return before.podIPs().isEmpty() && !hostIP.isEmpty() ? List.of(hostIP) : before.podIPs();
    }
    return pod.sandbox == null ? before.podIPs() : pod.sandbox.ips();
  }

  private static @Nullable Long generation(PodState pod, PodStatusView before) {
    Long former = before.observedGeneration();
    long generation = pod.pod.generation();
    if (former != null && former > generation) {
      return former;
    }
    return generation > 0 ? Long.valueOf(generation) : former;
  }
}
