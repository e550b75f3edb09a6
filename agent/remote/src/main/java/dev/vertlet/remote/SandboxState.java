package dev.vertlet.remote;

import dev.vertlet.model.ContainerStateView;
import dev.vertlet.model.PodRef;
import dev.vertlet.model.PodStatusView;
import dev.vertlet.provider.ContainerRecord;
import dev.vertlet.provider.RuntimePod;
import dev.vertlet.provider.SandboxRecord;
import dev.vertlet.remote.PodState.InvalidStateException;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * State of one pod in a back end that runs single containers.
 *
 * @param revision increases with every change of the state, for ever
 */
record SandboxState(RuntimePod pod, long revision) {
  /**
   * Reads a state.
   *
   * @throws InvalidStateException if it breaks the contract
   */
  static SandboxState read(PodState.Reader reader, JsonObject json) {
    PodRef ref = PodState.Reader.ref(json);
    if (!(json.getValue("containers") instanceof JsonArray containers)) {
      throw new InvalidStateException("/containers must be an array");
    }
    List<ContainerRecord> records = new ArrayList<>();
    List<ContainerStateView> states = states(reader, ref, containers);
    for (int i = 0; i < states.size(); i++) {
      records.add(container(containers.getJsonObject(i), states.get(i)));
    }
    return new SandboxState(
        new RuntimePod(
            ref, PodState.Reader.text(json, "node"), sandbox(json.getValue("sandbox")), records),
        PodState.Reader.number(json, "revision"));
  }

  private static @Nullable SandboxRecord sandbox(@Nullable Object value) {
    if (!(value instanceof JsonObject json)) {
      return null;
    }
    List<String> ips = new ArrayList<>();
    json.getJsonArray("ips", new JsonArray()).forEach(ip -> ips.add(String.valueOf(ip)));
    return new SandboxRecord(
        PodState.Reader.text(json, "id"), (int) PodState.Reader.number(json, "attempt"), ips);
  }

  /** Reads the states of containers as those of a pod's status. */
  private static List<ContainerStateView> states(
      PodState.Reader reader, PodRef ref, JsonArray containers) {
    JsonArray statuses = new JsonArray();
    for (Object one : containers) {
      if (!(one instanceof JsonObject container)
          || !(container.getValue("state") instanceof JsonObject state)) {
        throw new InvalidStateException("/containers must have objects with a state");
      }
      statuses.add(new JsonObject().put("name", container.getValue("name")).put("state", state));
    }
    PodStatusView status =
        reader.status(
            ref, new JsonObject().put("phase", "Running").put("containerStatuses", statuses));
    List<ContainerStateView> states = new ArrayList<>();
    status
        .containerStatuses()
        .forEach(
            container -> {
              ContainerStateView state = container.state();
              if (state == null) {
                throw new InvalidStateException(
                    "/containers: the state of " + container.name() + " is none");
              }
              states.add(state);
            });
    return states;
  }

  private static ContainerRecord container(JsonObject json, ContainerStateView state) {
    return new ContainerRecord(
        PodState.Reader.text(json, "id"),
        PodState.Reader.text(json, "name"),
        (int) PodState.Reader.number(json, "attempt"),
        PodState.Reader.text(json, "image"),
        PodState.Reader.text(json, "imageID"),
        state,
        null,
        null);
  }
}
