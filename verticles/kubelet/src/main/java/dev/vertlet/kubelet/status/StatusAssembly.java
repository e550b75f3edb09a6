package dev.vertlet.kubelet.status;

import dev.vertlet.admission.Rejection;
import dev.vertlet.kubelet.container.ContainerSlot;
import dev.vertlet.kubelet.pod.PodFailure;
import dev.vertlet.kubelet.pod.PodState;
import dev.vertlet.kubelet.pod.Resizing;
import dev.vertlet.model.pod.PodSpecView;
import dev.vertlet.model.resource.Allocation;
import dev.vertlet.model.resource.PodTotals;
import dev.vertlet.model.status.ConditionView;
import dev.vertlet.model.status.ContainerStatusView;
import dev.vertlet.model.status.PodPhase;
import dev.vertlet.model.status.PodResourcesView;
import dev.vertlet.model.status.PodStatusView;
import dev.vertlet.provider.container.SandboxRecord;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Assembles the status of a pod for the API server from the pod's state and the time. */
public final class StatusAssembly {
  private final PodState pod;
  private final PodStatusView before;
  private final List<String> hostIPs;

  /** Whether the pod was to end, and no container can run any more. */
  private final boolean ended;

  private StatusAssembly(PodState pod, List<String> hostIPs) {
    this.pod = pod;
    this.before = pod.status();
    this.hostIPs = hostIPs;
    this.ended = (pod.ending() || pod.finished()) && !pod.containers().mayRun();
  }

  /**
   * Returns the status of a pod that its node rejects. As in a kubelet, it has no containers.
   *
   * @see <a href="https://github.com/kubernetes/kubernetes/blob/v1.36.3/pkg/kubelet/kubelet.go">
   *     rejectPod, kubelet 1.36.3</a>
   */
  public static PodStatusView rejected(PodState pod, Rejection rejection) {
    StatusAssembly made = new StatusAssembly(pod, List.of());
    return new PodStatusView(
        PodPhase.FAILED,
        rejection.reason(),
        rejection.statusMessage(),
        null,
        List.of(),
        pod.startTime(),
        made.generation(),
        made.before.conditions(),
        List.of(),
        List.of(),
        List.of());
  }

  /**
   * @param hostIPs of the pod's node, primary first
   * @return the last status, the same object, if nothing changed
   */
  public static PodStatusView assemble(PodState pod, List<String> hostIPs, Instant now) {
    return new StatusAssembly(pod, hostIPs).assemble(now.truncatedTo(ChronoUnit.SECONDS));
  }

  private PodStatusView assemble(Instant now) {
    ContainerStatuses containers = new ContainerStatuses(pod);
    List<ContainerStatusView> init = containers.of(pod.init());
    List<ContainerStatusView> regular = containers.of(pod.regular());
    PodFailure failure = pod.failure();
    boolean refused = ended && failure != null && failure.refused();
    if (ended && !refused) {
      regular = ContainerStatuses.closed(regular, init, pod);
      init = ContainerStatuses.closedInit(init);
    }
    PodPhase decided = decided(init, regular);
    List<ConditionView> conditions =
        PodConditions.of(
            pod.view(),
            before,
            decided,
            pod.sandbox().exists(),
            init,
            regular,
            pod.restartingAll(),
            now);
    PodPhase shown = decided.terminal() && !ended ? before.phase() : decided;
    boolean ends = shown.terminal() && !before.phase().terminal();
    PodStatusView made =
        new PodStatusView(
            shown,
            cause(shown, before.reason(), failure == null ? null : failure.reason()),
            cause(shown, before.message(), failure == null ? null : failure.message()),
            hostIPs.isEmpty() ? before.hostIP() : hostIPs.get(0),
            hostIPs.isEmpty() ? before.otherHostIPs() : hostIPs.subList(1, hostIPs.size()),
            podIPs(),
            pod.startTime(),
            generation(),
            conditions(conditions, shown, ends, now),
            refused ? List.of() : init,
            refused ? List.of() : regular,
            refused ? List.of() : containers.of(pod.ephemeral()),
            refused ? 0 : pod.view().tokenVolume(),
            refused ? null : resources(shown));
    return made.equals(before) ? before : made;
  }

  private List<ConditionView> conditions(
      List<ConditionView> own, PodPhase shown, boolean ends, Instant now) {
    PodFailure failure = pod.failure();
    List<ConditionView> all =
        PodConditions.disrupted(
            own, pod.view(), before, ends && failure != null ? failure.disruption() : null, now);
    Resizing resizing = pod.resizing();
    return resizing == null || shown.terminal()
        ? all
        : Stream.concat(all.stream(), resizing.conditions().stream()).toList();
  }

  /** Decides the phase; a terminal one is shown only when no container can run any more. */
  private PodPhase decided(List<ContainerStatusView> init, List<ContainerStatusView> regular) {
    if (before.phase().terminal()) {
      return before.phase();
    }
    if (pod.failure() != null) {
      return PodPhase.FAILED;
    }
    PodPhase phase =
        PodPhases.of(pod.view().spec(), init, regular, ended, pod.containers().initialized());
    if (!ended && phase.terminal() && swapping()) {
      return PodPhase.RUNNING; // another instance follows whatever the restart policy says
    }
    return ended && !phase.terminal() ? PodPhase.FAILED : phase;
  }

  private boolean swapping() {
    return pod.containers().any(slot -> slot.stop().swapping());
  }

  /** Keeps reason and message as long as the phase stays, as they belong to it. */
  private @Nullable String cause(
      PodPhase shown, @Nullable String former, @Nullable String failure) {
    if (shown == before.phase()) {
      return former;
    }
    return shown == PodPhase.FAILED ? failure : null;
  }

  /**
   * Returns the pod's resources. A pod that ends keeps its last ones; one that begins to run shows
   * what is applied, which may be less than it was granted.
   */
  private @Nullable PodResourcesView resources(PodPhase shown) {
    PodResourcesView former = before.resources();
    boolean over = shown.terminal() && (former != null || before.phase().terminal());
    boolean runs = shown == PodPhase.RUNNING;
    boolean same = pod.totalled() && pod.resizing() == null;
    if (over || (former != null && same && runs == (before.phase() == PodPhase.RUNNING))) {
      return former;
    }
    PodResourcesView made = runs ? applied(pod) : PodTotals.granted(pod.view().spec());
    return made.equals(former) ? former : made;
  }

  /** Returns the applied resources: containers in a resize still have their old ones. */
  private static PodResourcesView applied(PodState pod) {
    PodSpecView granted = pod.view().spec();
    Resizing resizing = pod.resizing();
    return resizing == null
        ? PodTotals.applied(granted)
        : PodTotals.applied(Allocation.of(pod.view(), resizing::actual).spec(), granted);
  }

  private List<String> podIPs() {
    if (pod.view().spec().hostNetwork()) {
      // the node's addresses stay in the status even if the node gets others
      return before.podIPs().isEmpty() ? hostIPs : before.podIPs();
    }
    SandboxRecord sandbox = pod.sandbox().record();
    return sandbox == null ? before.podIPs() : sandbox.ips();
  }

  /** Whether a container runs an older image: the generation is then not observed yet. */
  private boolean outdated() {
    return outdated(pod.regular()) || outdated(pod.init());
  }

  private static boolean outdated(ContainerSlot[] slots) {
    for (ContainerSlot slot : slots) {
      if (slot.definitionChanged() || (slot.stop().swapping() && slot.otherImage())) {
        return true;
      }
    }
    return false;
  }

  private @Nullable Long generation() {
    Long former = before.observedGeneration();
    long generation = pod.view().generation();
    boolean kept = former != null && (former >= generation || (!ended && outdated()));
    return kept || generation == 0 ? former : Long.valueOf(generation);
  }
}
