package dev.vertlet.kubelet.status;

import static dev.vertlet.kubelet.pod.OwnedStatus.CONTAINERS_READY;
import static dev.vertlet.kubelet.pod.OwnedStatus.INITIALIZED;
import static dev.vertlet.kubelet.pod.OwnedStatus.READY;
import static dev.vertlet.kubelet.pod.OwnedStatus.READY_TO_START;
import static dev.vertlet.kubelet.pod.OwnedStatus.RESTARTING_ALL;
import static dev.vertlet.kubelet.pod.OwnedStatus.SCHEDULED;

import dev.vertlet.kubelet.container.RestartRules;
import dev.vertlet.model.container.ContainerView;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.status.ConditionView;
import dev.vertlet.model.status.ContainerStateView.Running;
import dev.vertlet.model.status.ContainerStateView.Terminated;
import dev.vertlet.model.status.ContainerStatusView;
import dev.vertlet.model.status.PodPhase;
import dev.vertlet.model.status.PodStatusView;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The conditions a kubelet owns, with its reasons and messages.
 *
 * @see <a
 *     href="https://github.com/kubernetes/kubernetes/blob/v1.36.3/pkg/kubelet/status/generate.go">
 *     status/generate.go, kubelet 1.36.3</a>
 */
final class PodConditions {
  /** A condition of several owners: a kubelet writes it once, when it has ended the pod itself. */
  static final String DISRUPTION_TARGET = "DisruptionTarget";

  private static final String TERMINATION_BY_KUBELET = "TerminationByKubelet";
  private static final String POD_COMPLETED = "PodCompleted";
  private static final String POD_FAILED = "PodFailed";

  private final PodView pod;
  private final PodStatusView before;
  private final PodPhase phase;
  private final Instant now;
  private final @Nullable Long generation;

  private PodConditions(PodView pod, PodStatusView before, PodPhase phase, Instant now) {
    this.pod = pod;
    this.before = before;
    this.phase = phase;
    this.now = now;
    this.generation = pod.generation() > 0 ? pod.generation() : null;
  }

  /**
   * @param before the last status: a condition keeps its time while its status stays
   * @param phase as decided, even if it is not shown yet
   * @param restartingAll whether a restart of all containers is under way
   * @param now whole seconds
   */
  static List<ConditionView> of(
      PodView pod,
      PodStatusView before,
      PodPhase phase,
      boolean sandbox,
      List<ContainerStatusView> init,
      List<ContainerStatusView> regular,
      boolean restartingAll,
      Instant now) {
    PodConditions made = new PodConditions(pod, before, phase, now);
    ConditionView containersReady = made.containersReady(init, regular);
    ConditionView toStart = made.condition(READY_TO_START, sandbox, null, null);
    ConditionView initialized = made.initialized(init, regular);
    ConditionView ready = made.ready(containersReady);
    ConditionView scheduled = made.condition(SCHEDULED, true, null, null);
    List<ConditionView> conditions =
        RestartRules.couldRestartAll(pod.spec())
            ? List.of(
                toStart,
                initialized,
                ready,
                containersReady,
                scheduled,
                made.restartingAll(restartingAll))
            : List.of(toStart, initialized, ready, containersReady, scheduled);
    return made.inFormerOrder(conditions);
  }

  /** Has no observed generation, as in a kubelet. */
  private ConditionView restartingAll(boolean now) {
    if (phase == PodPhase.SUCCEEDED) {
      return condition(RESTARTING_ALL, false, POD_COMPLETED, null, null);
    }
    if (phase == PodPhase.FAILED) {
      return condition(RESTARTING_ALL, false, POD_FAILED, null, null);
    }
    return now
        ? condition(
            RESTARTING_ALL,
            true,
            "RestartAllContainersStarted",
            "container exited with restart policy rule",
            null)
        : condition(RESTARTING_ALL, false, null, null, null);
  }

  /**
   * Adds the condition DisruptionTarget if the pod has it already or is due to get it.
   *
   * @param note its message if it is due, else null
   */
  static List<ConditionView> disrupted(
      List<ConditionView> conditions,
      PodView pod,
      PodStatusView before,
      @Nullable String note,
      Instant now) {
    ConditionView known = before.condition(DISRUPTION_TARGET);
    if (known == null && note == null) {
      return conditions;
    }
    List<ConditionView> all = new ArrayList<>(conditions);
    all.add(
        known != null
            ? known
            : new ConditionView(
                DISRUPTION_TARGET,
                "True",
                TERMINATION_BY_KUBELET,
                note,
                now,
                pod.generation() > 0 ? pod.generation() : null));
    return all;
  }

  private ConditionView initialized(
      List<ContainerStatusView> init, List<ContainerStatusView> regular) {
    List<String> unknown = new ArrayList<>(0);
    List<String> incomplete = new ArrayList<>(0);
    for (ContainerView container : pod.spec().initContainers()) {
      ContainerStatusView status = find(init, container.name());
      if (status == null) {
        unknown.add(container.name());
      } else if (container.sidecar() ? !Boolean.TRUE.equals(status.started()) : !status.ready()) {
        incomplete.add(container.name());
      }
    }
    if (phase == PodPhase.SUCCEEDED && unknown.isEmpty()) {
      return condition(INITIALIZED, true, POD_COMPLETED, null);
    }
    ConditionView former = before.condition(INITIALIZED);
    boolean stays = former != null && former.status().equals("True");
    String message = message(unknown, "incomplete", incomplete);
    if (message.isEmpty() || stays || anyRan(regular)) {
      return condition(INITIALIZED, true, null, null);
    }
    return condition(INITIALIZED, false, "ContainersNotInitialized", message);
  }

  private static boolean anyRan(List<ContainerStatusView> regular) {
    for (ContainerStatusView status : regular) {
      if (status.state() instanceof Running || status.state() instanceof Terminated) {
        return true;
      }
    }
    return false;
  }

  private ConditionView containersReady(
      List<ContainerStatusView> init, List<ContainerStatusView> regular) {
    List<String> unknown = new ArrayList<>(0);
    List<String> unready = new ArrayList<>(0);
    for (ContainerView container : pod.spec().initContainers()) {
      if (container.sidecar()) {
        sort(container, init, unknown, unready);
      }
    }
    for (ContainerView container : pod.spec().containers()) {
      sort(container, regular, unknown, unready);
    }
    if (phase == PodPhase.SUCCEEDED && unknown.isEmpty()) {
      return condition(CONTAINERS_READY, false, POD_COMPLETED, null);
    }
    if (phase == PodPhase.FAILED) {
      return condition(CONTAINERS_READY, false, POD_FAILED, null);
    }
    String message = message(unknown, "unready", unready);
    return message.isEmpty()
        ? condition(CONTAINERS_READY, true, null, null)
        : condition(CONTAINERS_READY, false, "ContainersNotReady", message);
  }

  private static void sort(
      ContainerView container,
      List<ContainerStatusView> statuses,
      List<String> unknown,
      List<String> unready) {
    ContainerStatusView status = find(statuses, container.name());
    if (status == null) {
      unknown.add(container.name());
    } else if (!status.ready()) {
      unready.add(container.name());
    }
  }

  private ConditionView ready(ConditionView containersReady) {
    if (!containersReady.status().equals("True")) {
      return condition(READY, false, containersReady.reason(), containersReady.message());
    }
    if (pod.spec().readinessGates().isEmpty()) {
      return condition(READY, true, null, null);
    }
    List<String> messages = new ArrayList<>();
    for (String gate : pod.spec().readinessGates()) {
      ConditionView condition = pod.status().condition(gate);
      if (condition == null) {
        messages.add(
            "corresponding condition of pod readiness gate \"" + gate + "\" does not exist.");
      } else if (!condition.status().equals("True")) {
        messages.add(
            "the status of pod readiness gate \""
                + gate
                + "\" is not \"True\", but "
                + condition.status());
      }
    }
    return messages.isEmpty()
        ? condition(READY, true, null, null)
        : condition(READY, false, "ReadinessGatesNotReady", String.join(", ", messages));
  }

  private ConditionView condition(
      String type, boolean status, @Nullable String reason, @Nullable String message) {
    return condition(type, status, reason, message, generation);
  }

  private ConditionView condition(
      String type,
      boolean status,
      @Nullable String reason,
      @Nullable String message,
      @Nullable Long observed) {
    String text = status ? "True" : "False";
    ConditionView former = before.condition(type);
    Instant since = now;
    if (former != null && former.status().equals(text)) {
      since = former.lastTransitionTime();
    }
    ConditionView made = new ConditionView(type, text, reason, message, since, observed);
    return former != null && made.equals(former) ? former : made;
  }

  /** Keeps the API server's order, that of the first write, which avoids a second write. */
  private List<ConditionView> inFormerOrder(List<ConditionView> conditions) {
    List<ConditionView> ordered = new ArrayList<>(conditions.size());
    for (ConditionView former : before.conditions()) {
      for (ConditionView condition : conditions) {
        if (condition.type().equals(former.type())) {
          ordered.add(condition);
        }
      }
    }
    return ordered.size() == conditions.size() ? ordered : conditions;
  }

  private static String message(List<String> unknown, String word, List<String> others) {
    String first = unknown.isEmpty() ? "" : "containers with unknown status: " + go(unknown);
    String second = others.isEmpty() ? "" : "containers with " + word + " status: " + go(others);
    return first.isEmpty() || second.isEmpty() ? first + second : first + ", " + second;
  }

  /** Formats a list as Go prints it: {@code [a b]}. */
  private static String go(List<String> names) {
    return "[" + String.join(" ", names) + "]";
  }

  private static @Nullable ContainerStatusView find(
      List<ContainerStatusView> statuses, String name) {
    for (ContainerStatusView status : statuses) {
      if (status.name().equals(name)) {
        return status;
      }
    }
    return null;
  }
}
