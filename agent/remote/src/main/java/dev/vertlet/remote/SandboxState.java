package dev.vertlet.remote;

import dev.vertlet.model.PodRef;
import dev.vertlet.model.status.ContainerStateView;
import dev.vertlet.model.status.ContainerStatusView;
import dev.vertlet.model.status.PodStatusView;
import dev.vertlet.problem.Pointers;
import dev.vertlet.problem.Problem;
import dev.vertlet.provider.container.ContainerRecord;
import dev.vertlet.provider.container.RuntimePod;
import dev.vertlet.provider.container.SandboxRecord;
import dev.vertlet.remote.client.ContractException;
import dev.vertlet.remote.client.Fields;
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
   * @throws ContractException if it breaks the contract
   */
  static SandboxState read(PodState.Reader reader, JsonObject json) {
    PodRef ref = PodState.Reader.ref(json);
    JsonArray containers = Fields.array(json, "containers");
    List<ContainerStateView> states = states(reader, ref, containers);
    List<ContainerRecord> records = new ArrayList<>();
    for (int i = 0; i < states.size(); i++) {
      records.add(container(containers, i, states.get(i)));
    }
    return new SandboxState(
        new RuntimePod(ref, Fields.text(json, "node"), sandbox(json), records),
        Fields.number(json, "revision"));
  }

  private static @Nullable SandboxRecord sandbox(JsonObject state) {
    if (state.getValue("sandbox") == null) {
      return null;
    }
    JsonObject json = Fields.object(state, "sandbox");
    try {
      List<String> ips = new ArrayList<>();
      Fields.array(json, "ips").forEach(ip -> ips.add(String.valueOf(ip)));
      return new SandboxRecord(Fields.text(json, "id"), (int) Fields.number(json, "attempt"), ips);
    } catch (ContractException e) {
      throw e.under("/sandbox");
    }
  }

  /** Reads the states of containers as those of a pod's status. */
  private static List<ContainerStateView> states(
      PodState.Reader reader, PodRef ref, JsonArray containers) {
    JsonArray statuses = new JsonArray();
    for (int i = 0; i < containers.size(); i++) {
      JsonObject container = Fields.object(containers, "/containers", i);
      statuses.add(
          new JsonObject()
              .put("name", container.getValue("name"))
              .put("state", container.getValue("state")));
    }
    PodStatusView status =
        reader.status(
            ref, new JsonObject().put("phase", "Running").put("containerStatuses", statuses));
    List<ContainerStateView> states = new ArrayList<>();
    for (ContainerStatusView container : status.containerStatuses()) {
      ContainerStateView state = container.state();
      if (state == null) {
        throw new ContractException(
            Problem.about(
                pointer(states.size()) + "/state", "must be waiting, running or terminated"));
      }
      states.add(state);
    }
    return states;
  }

  private static String pointer(int index) {
    return Pointers.of("containers", String.valueOf(index));
  }

  private static ContainerRecord container(
      JsonArray containers, int index, ContainerStateView state) {
    JsonObject json = containers.getJsonObject(index);
    try {
      return new ContainerRecord(
          Fields.text(json, "id"),
          Fields.text(json, "name"),
          (int) Fields.number(json, "attempt"),
          Fields.text(json, "image"),
          Fields.text(json, "imageID"),
          state,
          null,
          null);
    } catch (ContractException e) {
      throw e.under(pointer(index));
    }
  }
}
