package dev.vertlet.provider.pod;

import dev.vertlet.model.status.ContainerStateView;
import dev.vertlet.model.status.ContainerStatusView;
import dev.vertlet.model.status.PodPhase;
import dev.vertlet.model.status.PodStatusView;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Statuses of pods whose provider does not report. Pure. Reasons, messages and numbers are
 * virtual-kubelet's (node/sync.go, v1.13).
 */
final class PollRules {
  /**
   * A pod no older than this may be missing from the back end's list because it has not got there
   * yet.
   */
  private static final Duration YOUNG = Duration.ofSeconds(60);

  private static final String NOT_FOUND = "NotFound";
  private static final String POD_NOT_FOUND =
      "The pod status was not found and may have been deleted from the provider";
  private static final String CONTAINER_NOT_FOUND =
      "Container was not found and was likely deleted";
  private static final int CONTAINER_NOT_FOUND_EXIT = -137;

  private static final String TERMINATED = "Terminated";
  private static final String CONTAINER_TERMINATED =
      "Container was terminated. The exit code may not reflect the real exit code";

  private PollRules() {}

  /**
   * Status of a pod that is missing from the provider's list.
   *
   * @param last the last known status
   * @param created creation time of its API object, null if unknown
   * @return the new status; empty while the pod has time to appear
   */
  static Optional<PodStatusView> missing(
      PodStatusView last, @Nullable Instant created, Instant now) {
    boolean young = created != null && !created.plus(YOUNG).isBefore(now);
    if (last.phase() != PodPhase.RUNNING && young) {
      return Optional.empty();
    }
    return Optional.of(
        status(
            last,
            PodPhase.FAILED,
            NOT_FOUND,
            POD_NOT_FOUND,
            c ->
                c.state() instanceof ContainerStateView.Running running
                    ? ended(
                        c,
                        CONTAINER_NOT_FOUND_EXIT,
                        NOT_FOUND,
                        CONTAINER_NOT_FOUND,
                        running.startedAt(),
                        now)
                    : c));
  }

  /**
   * Status of a pod whose deletion the provider has accepted but whose end it will not report.
   *
   * @param last the last known status; returned unchanged when the pod had ended already
   */
  static PodStatusView deleted(PodStatusView last, Instant now) {
    if (last.phase().terminal()) {
      return last;
    }
    return status(
        last,
        PodPhase.SUCCEEDED,
        TERMINATED,
        last.message(),
        c ->
            c.state() instanceof ContainerStateView.Terminated
                ? c
                : ended(
                    c,
                    0,
                    TERMINATED,
                    CONTAINER_TERMINATED,
                    c.state() instanceof ContainerStateView.Running running
                        ? running.startedAt()
                        : null,
                    now));
  }

  private static PodStatusView status(
      PodStatusView s,
      PodPhase phase,
      String reason,
      @Nullable String message,
      UnaryOperator<ContainerStatusView> change) {
    return new PodStatusView(
        phase,
        reason,
        message,
        s.hostIP(),
        s.otherHostIPs(),
        s.podIPs(),
        s.startTime(),
        s.observedGeneration(),
        s.conditions(),
        each(s.initContainerStatuses(), change),
        each(s.containerStatuses(), change),
        each(s.ephemeralContainerStatuses(), change));
  }

  private static List<ContainerStatusView> each(
      List<ContainerStatusView> containers, UnaryOperator<ContainerStatusView> change) {
    return containers.stream().map(change).toList();
  }

  private static ContainerStatusView ended(
      ContainerStatusView c,
      int exitCode,
      String reason,
      String message,
      @Nullable Instant startedAt,
      Instant now) {
    return new ContainerStatusView(
        c.name(),
        c.image(),
        c.imageId(),
        c.containerId(),
        c.restartCount(),
        false,
        false,
        new ContainerStateView.Terminated(
            exitCode,
            0,
            reason,
            message,
            startedAt,
            now.truncatedTo(ChronoUnit.SECONDS),
            c.containerId()),
        c.lastState());
  }
}
