package dev.vertlet.kubelet.pod;

import dev.vertlet.model.status.ConditionView;
import dev.vertlet.model.status.PodStatusView;
import java.util.ArrayList;
import java.util.List;

/** The part of a pod's status that a kubelet owns. Conditions of others never travel back. */
public final class OwnedStatus {
  public static final String READY_TO_START = "PodReadyToStartContainers";
  public static final String INITIALIZED = "Initialized";
  public static final String READY = "Ready";
  public static final String CONTAINERS_READY = "ContainersReady";
  public static final String SCHEDULED = "PodScheduled";

  /** Condition of pods with a rule that restarts all containers. */
  public static final String RESTARTING_ALL = "AllContainersRestarting";

  /** The conditions in the order in which a kubelet writes them. */
  private static final List<String> CONDITIONS =
      List.of(READY_TO_START, INITIALIZED, READY, CONTAINERS_READY, SCHEDULED, RESTARTING_ALL);

  private OwnedStatus() {}

  /** Returns the owned part of the API server's status, in the form that assembly makes. */
  public static PodStatusView of(PodStatusView api) {
    return phase(api, api, conditions(api.conditions()));
  }

  /** Keeps the owned conditions, in the server's order. */
  private static List<ConditionView> conditions(List<ConditionView> all) {
    List<ConditionView> owned = new ArrayList<>(CONDITIONS.size());
    for (ConditionView condition : all) {
      if (CONDITIONS.contains(condition.type())) {
        owned.add(condition);
      }
    }
    return owned;
  }

  /** Returns this status with the phase, reason and message of the other one. */
  static PodStatusView inPhaseOf(PodStatusView status, PodStatusView other) {
    return phase(status, other, status.conditions());
  }

  private static PodStatusView phase(
      PodStatusView status, PodStatusView phase, List<ConditionView> conditions) {
    return new PodStatusView(
        phase.phase(),
        phase.reason(),
        phase.message(),
        status.hostIP(),
        status.otherHostIPs(),
        status.podIPs(),
        status.startTime(),
        status.observedGeneration(),
        conditions,
        status.initContainerStatuses(),
        status.containerStatuses(),
        status.ephemeralContainerStatuses(),
        status.tokenVolume(),
        status.resources());
  }
}
