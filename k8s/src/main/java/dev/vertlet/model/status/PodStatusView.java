package dev.vertlet.model.status;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A pod's status, as decoded from the API server or as vertlet wants it there.
 *
 * <p>In a wanted status, {@code conditions} contains only vertlet's own conditions; those of other
 * clients stay, because the patch merges by type.
 *
 * @param startTime whole seconds, set once
 * @param podIPs primary address first
 * @param hostIP the node's address, null before the pod was accepted
 * @param otherHostIPs the node's addresses of other IP families
 * @param observedGeneration the pod generation this status was computed for, null if the server has
 *     none
 * @param tokenVolume number of the pod's token volume, if a container's status has such a mount; 0
 *     for none
 * @param resources pod-level resources; null in a wanted status for no change
 */
public record PodStatusView(
    PodPhase phase,
    @Nullable String reason,
    @Nullable String message,
    @Nullable String hostIP,
    List<String> otherHostIPs,
    List<String> podIPs,
    @Nullable Instant startTime,
    @Nullable Long observedGeneration,
    List<ConditionView> conditions,
    List<ContainerStatusView> initContainerStatuses,
    List<ContainerStatusView> containerStatuses,
    List<ContainerStatusView> ephemeralContainerStatuses,
    int tokenVolume,
    @Nullable PodResourcesView resources) {
  /** Status of a pod without a report. */
  public static final PodStatusView EMPTY =
      new PodStatusView(
          PodPhase.PENDING,
          null,
          null,
          null,
          List.of(),
          null,
          null,
          List.of(),
          List.of(),
          List.of(),
          List.of());

  /** Creates a status with at most one address of the node. */
  public PodStatusView(
      PodPhase phase,
      @Nullable String reason,
      @Nullable String message,
      @Nullable String hostIP,
      List<String> podIPs,
      @Nullable Instant startTime,
      @Nullable Long observedGeneration,
      List<ConditionView> conditions,
      List<ContainerStatusView> initContainerStatuses,
      List<ContainerStatusView> containerStatuses,
      List<ContainerStatusView> ephemeralContainerStatuses) {
    this(
        phase,
        reason,
        message,
        hostIP,
        List.of(),
        podIPs,
        startTime,
        observedGeneration,
        conditions,
        initContainerStatuses,
        containerStatuses,
        ephemeralContainerStatuses);
  }

  /**
   * Creates a status without a mount of a service account's token and without pod-level resources.
   */
  public PodStatusView(
      PodPhase phase,
      @Nullable String reason,
      @Nullable String message,
      @Nullable String hostIP,
      List<String> otherHostIPs,
      List<String> podIPs,
      @Nullable Instant startTime,
      @Nullable Long observedGeneration,
      List<ConditionView> conditions,
      List<ContainerStatusView> initContainerStatuses,
      List<ContainerStatusView> containerStatuses,
      List<ContainerStatusView> ephemeralContainerStatuses) {
    this(
        phase,
        reason,
        message,
        hostIP,
        otherHostIPs,
        podIPs,
        startTime,
        observedGeneration,
        conditions,
        initContainerStatuses,
        containerStatuses,
        ephemeralContainerStatuses,
        0,
        null);
  }

  public PodStatusView {
    Objects.requireNonNull(phase, "phase");
    otherHostIPs = List.copyOf(otherHostIPs);
    podIPs = List.copyOf(podIPs);
    conditions = List.copyOf(conditions);
    initContainerStatuses = List.copyOf(initContainerStatuses);
    containerStatuses = List.copyOf(containerStatuses);
    ephemeralContainerStatuses = List.copyOf(ephemeralContainerStatuses);
  }

  /** All addresses of the node, primary first. */
  public List<String> hostIPs() {
    if (hostIP == null || hostIP.isEmpty()) {
      return List.of();
    }
    List<String> all = new ArrayList<>(1 + otherHostIPs.size());
    all.add(hostIP);
    all.addAll(otherHostIPs);
    return all;
  }

  /** Returns the condition of this type, or null. */
  public @Nullable ConditionView condition(String type) {
    for (ConditionView condition : conditions) {
      if (condition.type().equals(type)) {
        return condition;
      }
    }
    return null;
  }

  /**
   * Whether the pod was ended or rejected as a whole, for the status' reason, rather than by failed
   * containers.
   */
  public boolean endedAsAWhole() {
    return phase == PodPhase.FAILED && reason != null;
  }

  /**
   * Returns this status with phase, reason and message of {@code before} if both are terminal with
   * different phases: the first terminal phase is final.
   */
  public PodStatusView endedAs(PodStatusView before) {
    if (!before.phase.terminal() || !phase.terminal() || before.phase == phase) {
      return this;
    }
    return new PodStatusView(
        before.phase,
        before.reason,
        before.message,
        hostIP,
        otherHostIPs,
        podIPs,
        startTime,
        observedGeneration,
        conditions,
        initContainerStatuses,
        containerStatuses,
        ephemeralContainerStatuses,
        tokenVolume,
        resources);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return this == other
        || other instanceof PodStatusView that
            && phase == that.phase
            && Objects.equals(reason, that.reason)
            && Objects.equals(message, that.message)
            && Objects.equals(hostIP, that.hostIP)
            && otherHostIPs.equals(that.otherHostIPs)
            && podIPs.equals(that.podIPs)
            && Objects.equals(startTime, that.startTime)
            && Objects.equals(observedGeneration, that.observedGeneration)
            && conditions.equals(that.conditions)
            && initContainerStatuses.equals(that.initContainerStatuses)
            && containerStatuses.equals(that.containerStatuses)
            && ephemeralContainerStatuses.equals(that.ephemeralContainerStatuses)
            && tokenVolume == that.tokenVolume
            && Objects.equals(resources, that.resources);
  }

  @Override
  public int hashCode() {
    int hash = phase.hashCode();
    hash = 31 * hash + Objects.hashCode(reason);
    hash = 31 * hash + Objects.hashCode(message);
    hash = 31 * hash + Objects.hashCode(hostIP);
    hash = 31 * hash + otherHostIPs.hashCode();
    hash = 31 * hash + podIPs.hashCode();
    hash = 31 * hash + Objects.hashCode(startTime);
    hash = 31 * hash + Objects.hashCode(observedGeneration);
    hash = 31 * hash + conditions.hashCode();
    hash = 31 * hash + initContainerStatuses.hashCode();
    hash = 31 * hash + containerStatuses.hashCode();
    hash = 31 * hash + ephemeralContainerStatuses.hashCode();
    hash = 31 * hash + tokenVolume;
    return 31 * hash + Objects.hashCode(resources);
  }
}
