package dev.vertlet.remote;

import dev.vertlet.model.PodRef;
import dev.vertlet.model.status.ContainerStateView.Running;
import dev.vertlet.model.status.ContainerStateView.Terminated;
import dev.vertlet.model.status.ContainerStatusView;
import dev.vertlet.model.status.PodPhase;
import dev.vertlet.model.status.PodStatusView;
import dev.vertlet.problem.Problem;
import dev.vertlet.remote.client.ContractException;
import dev.vertlet.remote.client.Fields;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Reads the states of pods in answers of interLink's plugin API. Pure. */
final class InterlinkStates {
  private InterlinkStates() {}

  /**
   * Reads the states of those pods that the plugin has, by UID. Without its UID, a state could be
   * of any pod, and no pod could be said to be lost.
   *
   * @throws ContractException if it is no list of states
   */
  static Map<String, JsonObject> of(Buffer body) {
    JsonArray states = array(body);
    Map<String, JsonObject> found = new HashMap<>();
    for (int i = 0; i < states.size(); i++) {
      JsonObject state = Fields.object(states, "", i);
      try {
        String uid = Fields.text(state, "UID");
        if (isThere(state)) {
          found.put(uid, state);
        }
      } catch (ContractException e) {
        throw e.under("/" + i);
      }
    }
    return found;
  }

  /** A plugin that does not have the pod may answer with a state that has no containers. */
  private static boolean isThere(JsonObject state) {
    Object containers = state.getValue("containers");
    return containers != null && !(containers instanceof JsonArray array && array.isEmpty());
  }

  private static JsonArray array(Buffer body) {
    try {
      // Go writes an empty list of its own as null
      return body.toString().strip().equals("null") ? new JsonArray() : new JsonArray(body);
    } catch (DecodeException | ClassCastException e) {
      throw new ContractException(Problem.about("", "must be a JSON array"));
    }
  }

  /**
   * Reads a pod's status.
   *
   * @throws ContractException if it breaks the plugin API
   */
  static PodStatusView status(PodState.Reader reader, PodRef pod, JsonObject state) {
    JsonObject json =
        new JsonObject()
            .put("phase", PodPhase.PENDING.text())
            .put("containerStatuses", Fields.array(state, "containers"));
    if (state.getValue("initContainers") != null) {
      json.put("initContainerStatuses", Fields.array(state, "initContainers"));
    }
    PodStatusView read = reader.status(pod, json);
    return new PodStatusView(
        phase(read),
        null,
        null,
        null,
        List.of(),
        null,
        null,
        List.of(),
        read.initContainerStatuses(),
        read.containerStatuses().stream().map(InterlinkStates::ready).toList(),
        List.of());
  }

  /** Plugins know of no readiness: a container that runs is ready. */
  private static ContainerStatusView ready(ContainerStatusView c) {
    boolean runs = c.state() instanceof Running;
    return new ContainerStatusView(
        c.name(),
        c.image(),
        c.imageId(),
        c.containerId(),
        c.restartCount(),
        runs,
        runs,
        c.state(),
        c.lastState());
  }

  private static PodPhase phase(PodStatusView status) {
    List<ContainerStatusView> all =
        Stream.concat(status.initContainerStatuses().stream(), status.containerStatuses().stream())
            .toList();
    boolean failed =
        all.stream().anyMatch(c -> c.state() instanceof Terminated end && end.exitCode() != 0);
    boolean over =
        status.containerStatuses().stream().allMatch(c -> c.state() instanceof Terminated);
    boolean runs = status.containerStatuses().stream().anyMatch(c -> c.state() instanceof Running);
    if (over) {
      return failed ? PodPhase.FAILED : PodPhase.SUCCEEDED;
    }
    return runs ? PodPhase.RUNNING : PodPhase.PENDING;
  }
}
