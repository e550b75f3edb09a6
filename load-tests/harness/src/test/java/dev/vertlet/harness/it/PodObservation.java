package dev.vertlet.harness.it;

import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.PodStatus;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What one version of a pod says about its life. Texts are empty where the pod says nothing.
 *
 * @param ready whether the condition Ready is True
 * @param readyReason why it is not
 * @param readySince the condition's lastTransitionTime
 * @param deletion the deletionTimestamp
 * @param containers by name, init containers included
 */
public record PodObservation(
    String uid,
    String name,
    String resourceVersion,
    String phase,
    boolean ready,
    String readyReason,
    String readySince,
    String deletion,
    Map<String, Container> containers) {

  public PodObservation {
    containers = Map.copyOf(containers);
  }

  /**
   * One container.
   *
   * @param startedAt when the process that runs or has run last was started
   */
  public record Container(String id, int restarts, String startedAt) {
    static Container of(ContainerStatus status) {
      Integer restarts = status.getRestartCount();
      return new Container(
          text(status.getContainerID()), restarts == null ? 0 : restarts, startedAt(status));
    }

    private static String startedAt(ContainerStatus status) {
      ContainerState state = status.getState();
      if (state == null) {
        return "";
      }
      if (state.getRunning() != null) {
        return text(state.getRunning().getStartedAt());
      }
      return state.getTerminated() == null ? "" : text(state.getTerminated().getStartedAt());
    }
  }

  static PodObservation of(Pod pod) {
    PodStatus status = pod.getStatus();
    PodCondition ready = ready(status);
    Map<String, Container> containers = new LinkedHashMap<>();
    Stream.of(status.getInitContainerStatuses(), status.getContainerStatuses())
        .flatMap(List::stream)
        .forEach(container -> containers.put(container.getName(), Container.of(container)));
    return new PodObservation(
        pod.getMetadata().getUid(),
        pod.getMetadata().getName(),
        pod.getMetadata().getResourceVersion(),
        text(status.getPhase()),
        "True".equals(ready.getStatus()),
        text(ready.getReason()),
        text(ready.getLastTransitionTime()),
        text(pod.getMetadata().getDeletionTimestamp()),
        containers);
  }

  private static PodCondition ready(PodStatus status) {
    return status.getConditions().stream()
        .filter(condition -> "Ready".equals(condition.getType()))
        .findFirst()
        .orElseGet(PodCondition::new);
  }

  private static String text(@Nullable String value) {
    return Objects.requireNonNullElse(value, "");
  }

  boolean deletionRequested() {
    return !deletion.isEmpty();
  }

  boolean ended() {
    return phase.equals("Succeeded") || phase.equals("Failed");
  }

  /** All that there was to run has ended; a kubelet says so before it writes the phase. */
  boolean ranToItsEnd() {
    return ended() || readyReason.equals("PodCompleted") || readyReason.equals("PodFailed");
  }
}
