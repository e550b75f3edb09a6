package dev.vertlet.remote;

import dev.vertlet.model.container.ContainerView;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.status.ConditionView;
import dev.vertlet.model.status.ContainerStateView;
import dev.vertlet.model.status.ContainerStateView.Running;
import dev.vertlet.model.status.ContainerStateView.Terminated;
import dev.vertlet.model.status.ContainerStateView.Waiting;
import dev.vertlet.model.status.ContainerStatusView;
import dev.vertlet.model.status.PodPhase;
import dev.vertlet.model.status.PodStatusView;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Statuses of pods from a back end's. Pure. Equal facts give equal statuses, also after a restart
 * of the agent: times that a back end leaves out come from the status that the API server holds.
 */
final class Statuses {
  private static final String LOST = "NotFound";
  private static final String LOST_MESSAGE =
      "The pod was not found in the back end, which may have lost or deleted it";

  /** Reason and exit code of a container whose end was not observed, as a kubelet writes them. */
  private static final String UNSEEN = "ContainerStatusUnknown";

  private static final int UNSEEN_EXIT = 137;
  private static final String UNSEEN_MESSAGE =
      "The container could not be located when the pod was looked for";

  private Statuses() {}

  /**
   * Completes a back end's status: containers without a status wait, conditions that are missing
   * follow from the containers.
   *
   * @param said by the back end
   * @param before the status that was reported last, or that the API server holds
   * @param hostIP of the node
   */
  static PodStatusView completed(
      PodView pod, PodStatusView said, PodStatusView before, String hostIP, Instant now) {
    List<ContainerStatusView> init =
        containers(pod.spec().initContainers(), said.initContainerStatuses());
    List<ContainerStatusView> regular =
        containers(pod.spec().containers(), said.containerStatuses());
    Instant start = said.startTime() == null ? before.startTime() : said.startTime();
    return new PodStatusView(
        said.phase(),
        said.reason(),
        said.message(),
        said.hostIP() == null ? hostIP : said.hostIP(),
        said.otherHostIPs(),
        said.podIPs(),
        start == null ? seconds(now) : start,
        said.observedGeneration(),
        conditions(pod, said, before, init, regular, now),
        init,
        regular,
        containers(pod.spec().ephemeralContainers(), said.ephemeralContainerStatuses()));
  }

  private static List<ContainerStatusView> containers(
      List<ContainerView> specs, List<ContainerStatusView> said) {
    Map<String, ContainerStatusView> byName = new HashMap<>();
    said.forEach(status -> byName.put(status.name(), status));
    return specs.stream().map(spec -> container(spec, byName.get(spec.name()))).toList();
  }

  private static ContainerStatusView container(
      ContainerView spec, @Nullable ContainerStatusView said) {
    if (said == null) {
      return new ContainerStatusView(
          spec.name(),
          spec.image(),
          "",
          null,
          0,
          false,
          false,
          new Waiting("ContainerCreating", null),
          null);
    }
    boolean runs = said.state() instanceof Running;
    return with(
        said,
        said.image().isEmpty() ? spec.image() : said.image(),
        said.ready() && runs,
        said.started() == null ? Boolean.valueOf(runs) : said.started(),
        said.state() == null ? new Waiting("ContainerCreating", null) : said.state(),
        said.lastState());
  }

  private static ContainerStatusView with(
      ContainerStatusView c,
      String image,
      boolean ready,
      @Nullable Boolean started,
      ContainerStateView state,
      @Nullable ContainerStateView last) {
    return new ContainerStatusView(
        c.mounts(),
        image,
        c.imageId(),
        c.containerId(),
        c.restartCount(),
        ready,
        started,
        state,
        last,
        c.allocatedResources(),
        c.resources(),
        c.user());
  }

  private static List<ConditionView> conditions(
      PodView pod,
      PodStatusView said,
      PodStatusView before,
      List<ContainerStatusView> init,
      List<ContainerStatusView> regular,
      Instant now) {
    boolean initialized =
        said.phase() == PodPhase.SUCCEEDED || init.stream().allMatch(Statuses::initialized);
    boolean containersReady =
        said.phase() == PodPhase.RUNNING
            && initialized
            && regular.stream().allMatch(ContainerStatusView::ready);
    boolean gates =
        pod.spec().readinessGates().stream().allMatch(gate -> isTrue(pod.status().condition(gate)));
    String why = notReady(said.phase());
    List<ConditionView> conditions = new ArrayList<>();
    add(
        conditions,
        said,
        before,
        "Initialized",
        initialized,
        said.phase() == PodPhase.SUCCEEDED
            ? "PodCompleted"
            : initialized ? null : "ContainersNotInitialized",
        now);
    String ready = !containersReady ? why : gates ? null : "ReadinessGatesNotReady";
    add(conditions, said, before, "Ready", containersReady && gates, ready, now);
    add(
        conditions,
        said,
        before,
        "ContainersReady",
        containersReady,
        containersReady ? null : why,
        now);
    for (ConditionView own : said.conditions()) {
      if (conditions.stream().noneMatch(known -> known.type().equals(own.type()))) {
        conditions.add(timed(own, before, now));
      }
    }
    return conditions;
  }

  private static boolean initialized(ContainerStatusView container) {
    return container.state() instanceof Terminated end
        ? end.exitCode() == 0
        : Boolean.TRUE.equals(container.started());
  }

  private static boolean isTrue(@Nullable ConditionView condition) {
    return condition != null && condition.status().equals("True");
  }

  private static String notReady(PodPhase phase) {
    return switch (phase) {
      case SUCCEEDED -> "PodCompleted";
      case FAILED -> "PodFailed";
      default -> "ContainersNotReady";
    };
  }

  /** Adds the back end's condition of this type, or else one that follows from the containers. */
  private static void add(
      List<ConditionView> conditions,
      PodStatusView said,
      PodStatusView before,
      String type,
      boolean value,
      @Nullable String reason,
      Instant now) {
    ConditionView own = said.condition(type);
    ConditionView made =
        own == null
            ? new ConditionView(type, value ? "True" : "False", reason, null, null, null)
            : own;
    conditions.add(timed(made, before, now));
  }

  /** Dates a condition without a time: a status that is unchanged keeps its time. */
  private static ConditionView timed(ConditionView own, PodStatusView before, Instant now) {
    if (own.lastTransitionTime() != null) {
      return own;
    }
    ConditionView known = before.condition(own.type());
    Instant since =
        known != null && known.status().equals(own.status()) ? known.lastTransitionTime() : null;
    return new ConditionView(
        own.type(),
        own.status(),
        own.reason(),
        own.message(),
        since == null ? seconds(now) : since,
        own.observedGeneration());
  }

  /** Whether a container of the pod has run, as far as this status shows. */
  static boolean hasRun(PodStatusView status) {
    return status.containerStatuses().stream().anyMatch(Statuses::hasRun)
        || status.initContainerStatuses().stream().anyMatch(Statuses::hasRun);
  }

  private static boolean hasRun(ContainerStatusView container) {
    return container.containerId() != null
        || container.state() instanceof Running
        || container.state() instanceof Terminated
        || container.lastState() != null;
  }

  /** Restart counts with which a lost pod begins again; containers that never ran have none. */
  static Map<String, Integer> restartCounts(PodStatusView status) {
    Map<String, Integer> counts = new HashMap<>();
    for (ContainerStatusView container : status.containerStatuses()) {
      if (hasRun(container)) {
        counts.put(container.name(), container.restartCount() + 1);
      }
    }
    return counts;
  }

  /** Status of a lost pod that is about to be created again. */
  static PodStatusView restarting(PodStatusView last, Instant now) {
    return with(
        last,
        PodPhase.PENDING,
        null,
        null,
        container ->
            !hasRun(container)
                ? container
                : with(
                    container,
                    container.image(),
                    false,
                    false,
                    new Waiting("ContainerCreating", null),
                    container.state() instanceof Waiting
                        ? container.lastState()
                        : unseen(container, now)),
        now);
  }

  /** Status of a lost pod that may not run again. */
  static PodStatusView lost(PodStatusView last, Instant now) {
    return with(last, PodPhase.FAILED, LOST, LOST_MESSAGE, container -> ended(container, now), now);
  }

  /** Status of a pod that disappeared while it was being ended. */
  static PodStatusView ended(PodStatusView last, Instant now) {
    return last.phase().terminal()
        ? last
        : with(
            last,
            PodPhase.FAILED,
            last.reason(),
            last.message(),
            container -> ended(container, now),
            now);
  }

  private static ContainerStatusView ended(ContainerStatusView container, Instant now) {
    return container.state() instanceof Terminated
        ? container
        : with(
            container,
            container.image(),
            false,
            false,
            unseen(container, now),
            container.lastState());
  }

  private static ContainerStateView unseen(ContainerStatusView container, Instant now) {
    if (container.state() instanceof Terminated end) {
      return end;
    }
    Instant started = container.state() instanceof Running running ? running.startedAt() : null;
    return new Terminated(
        UNSEEN_EXIT, 0, UNSEEN, UNSEEN_MESSAGE, started, seconds(now), container.containerId());
  }

  private static PodStatusView with(
      PodStatusView s,
      PodPhase phase,
      @Nullable String reason,
      @Nullable String message,
      UnaryOperator<ContainerStatusView> change,
      Instant now) {
    List<ConditionView> conditions =
        s.conditions().stream().map(condition -> unready(condition, phase, now)).toList();
    return new PodStatusView(
        phase,
        reason,
        message,
        s.hostIP(),
        s.otherHostIPs(),
        phase == PodPhase.PENDING ? List.of() : s.podIPs(),
        s.startTime(),
        s.observedGeneration(),
        conditions,
        s.initContainerStatuses().stream().map(change).toList(),
        s.containerStatuses().stream().map(change).toList(),
        s.ephemeralContainerStatuses().stream().map(change).toList());
  }

  private static ConditionView unready(ConditionView c, PodPhase phase, Instant now) {
    boolean readiness = c.type().equals("Ready") || c.type().equals("ContainersReady");
    if (!readiness) {
      return c;
    }
    String reason = notReady(phase);
    return c.status().equals("False") && Objects.equals(c.reason(), reason)
        ? c
        : new ConditionView(
            c.type(),
            "False",
            reason,
            null,
            c.status().equals("False") ? c.lastTransitionTime() : seconds(now),
            c.observedGeneration());
  }

  private static Instant seconds(Instant time) {
    return time.truncatedTo(ChronoUnit.SECONDS);
  }
}
