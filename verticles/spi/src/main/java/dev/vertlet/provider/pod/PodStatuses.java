package dev.vertlet.provider.pod;

import dev.vertlet.model.container.ContainerView;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.status.ConditionView;
import dev.vertlet.model.status.ContainerStateView;
import dev.vertlet.model.status.ContainerStatusView;
import dev.vertlet.model.status.PodPhase;
import dev.vertlet.model.status.PodStatusView;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Builds statuses for providers whose pods run, or have ended, as a whole. Pure. Times are
 * truncated to whole seconds, as the API keeps them. Equal facts give equal statuses, so a repeated
 * status is written once.
 */
public final class PodStatuses {
  private PodStatuses() {}

  /**
   * The pod was accepted and nothing runs yet: every container waits with a kubelet's reason,
   * ContainerCreating.
   */
  public static PodStatusView starting(PodView pod, String hostIP, Instant since) {
    return status(
        pod,
        PodPhase.PENDING,
        hostIP,
        List.of(),
        since,
        conditions(pod.status(), "False", "ContainersNotReady", since),
        new ContainerStateView.Waiting("ContainerCreating", null));
  }

  /**
   * Every container runs and is ready. For containers that run already the pod's status keeps id,
   * restart count and start time.
   *
   * @param ips primary first
   */
  public static PodStatusView running(PodView pod, String hostIP, List<String> ips, Instant since) {
    return status(
        pod,
        PodPhase.RUNNING,
        hostIP,
        ips,
        since,
        conditions(pod.status(), "True", null, since),
        new ContainerStateView.Running(seconds(since)));
  }

  /**
   * The pod has ended with all its containers.
   *
   * @param before the status that was reported last
   * @param exitCode of every container that ran; 0 makes the pod Succeeded, any other value Failed
   * @param reason a CamelCase word for the containers, for example {@code Completed}
   */
  public static PodStatusView ended(
      PodStatusView before, int exitCode, String reason, @Nullable String message, Instant at) {
    boolean well = exitCode == 0;
    return new PodStatusView(
        well ? PodPhase.SUCCEEDED : PodPhase.FAILED,
        before.reason(),
        before.message(),
        before.hostIP(),
        before.otherHostIPs(),
        before.podIPs(),
        before.startTime(),
        before.observedGeneration(),
        conditions(before, "False", well ? "PodCompleted" : "PodFailed", at),
        ended(before.initContainerStatuses(), exitCode, reason, message, at),
        ended(before.containerStatuses(), exitCode, reason, message, at),
        ended(before.ephemeralContainerStatuses(), exitCode, reason, message, at));
  }

  private static List<ContainerStatusView> ended(
      List<ContainerStatusView> containers,
      int exitCode,
      String reason,
      @Nullable String message,
      Instant at) {
    return containers.stream()
        .map(
            c ->
                c.state() instanceof ContainerStateView.Terminated
                    ? c
                    : with(c, terminated(c, exitCode, reason, message, at)))
        .toList();
  }

  private static ContainerStateView terminated(
      ContainerStatusView container,
      int exitCode,
      String reason,
      @Nullable String message,
      Instant at) {
    Instant started =
        container.state() instanceof ContainerStateView.Running running
            ? running.startedAt()
            : null;
    return new ContainerStateView.Terminated(
        exitCode, 0, reason, message, started, seconds(at), container.containerId());
  }

  private static ContainerStatusView with(ContainerStatusView c, ContainerStateView state) {
    return new ContainerStatusView(
        c.name(),
        c.image(),
        c.imageId(),
        c.containerId(),
        c.restartCount(),
        false,
        false,
        state,
        c.lastState());
  }

  private static PodStatusView status(
      PodView pod,
      PodPhase phase,
      String hostIP,
      List<String> ips,
      Instant since,
      List<ConditionView> conditions,
      ContainerStateView state) {
    Instant known = pod.status().startTime();
    return new PodStatusView(
        phase,
        null,
        null,
        hostIP,
        ips,
        known == null ? seconds(since) : known,
        null,
        conditions,
        List.of(),
        containers(pod, state),
        List.of());
  }

  private static List<ContainerStatusView> containers(PodView pod, ContainerStateView state) {
    Map<String, ContainerStatusView> known =
        pod.status().containerStatuses().stream()
            .collect(Collectors.toMap(ContainerStatusView::name, Function.identity()));
    return pod.spec().containers().stream()
        .map(container -> container(pod, container, known.get(container.name()), state))
        .toList();
  }

  private static ContainerStatusView container(
      PodView pod,
      ContainerView container,
      @Nullable ContainerStatusView known,
      ContainerStateView state) {
    boolean runs = state instanceof ContainerStateView.Running;
    if (runs && known != null && known.state() instanceof ContainerStateView.Running) {
      return known;
    }
    return new ContainerStatusView(
        container.name(),
        container.image(),
        "",
        runs ? "vertlet://" + pod.uid() + "/" + container.name() : null,
        known == null ? 0 : known.restartCount(),
        runs,
        runs,
        state,
        null);
  }

  private static List<ConditionView> conditions(
      PodStatusView before, String ready, @Nullable String reason, Instant since) {
    return List.of(
        condition(before, "Initialized", "True", null, since),
        condition(before, "Ready", ready, reason, since),
        condition(before, "ContainersReady", ready, reason, since));
  }

  /** Keeps the last transition time of a condition whose status is unchanged. */
  private static ConditionView condition(
      PodStatusView before, String type, String status, @Nullable String reason, Instant since) {
    ConditionView known = before.condition(type);
    Instant changed =
        known != null && known.status().equals(status) ? known.lastTransitionTime() : null;
    return new ConditionView(
        type, status, reason, null, changed == null ? seconds(since) : changed, null);
  }

  private static Instant seconds(Instant time) {
    return time.truncatedTo(ChronoUnit.SECONDS);
  }
}
