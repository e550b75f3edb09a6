package dev.vertlet.remote;

import dev.vertlet.model.DecodeException;
import dev.vertlet.model.PodRef;
import dev.vertlet.model.status.PodStatusView;
import dev.vertlet.model.wire.PodDecoder;
import dev.vertlet.problem.Pointers;
import dev.vertlet.problem.Problem;
import dev.vertlet.remote.client.ContractException;
import dev.vertlet.remote.client.Fields;
import io.vertx.core.json.JsonObject;
import java.util.List;

/**
 * State of one pod in the back end.
 *
 * @param node the pod is bound to
 * @param generation of the request that the back end took last
 * @param fingerprint of that request, as it was sent; empty if the back end keeps none
 * @param revision increases with every change of the pod's state, for ever
 * @param finished nothing of the pod runs or will run again
 */
record PodState(
    PodRef pod,
    String node,
    long generation,
    String fingerprint,
    long revision,
    boolean finished,
    PodStatusView status) {

  private static final List<String> PHASES = List.of("Pending", "Running", "Succeeded", "Failed");

  /** Reads states; equal parts of many statuses are shared. */
  static final class Reader {
    private final PodDecoder decoder = new PodDecoder();

    /**
     * Reads a state.
     *
     * @throws ContractException if it breaks the contract
     */
    PodState read(JsonObject json) {
      PodRef pod = ref(json);
      return new PodState(
          pod,
          Fields.text(json, "node"),
          Fields.number(json, "generation"),
          Fields.text(json, "fingerprint", ""),
          Fields.number(json, "revision"),
          Fields.flag(json, "finished"),
          status(pod, Fields.object(json, "status")));
    }

    /** Reads whose state it is. */
    static PodRef ref(JsonObject json) {
      return new PodRef(
          Fields.text(json, "namespace"), Fields.text(json, "name"), Fields.text(json, "uid"));
    }

    /** Reads a PodStatus. */
    PodStatusView status(PodRef pod, JsonObject status) {
      if (!(status.getValue("phase") instanceof String phase) || !PHASES.contains(phase)) {
        throw Fields.refused(status, "phase", "must be one of " + String.join(", ", PHASES))
            .under("/status");
      }
      JsonObject metadata =
          new JsonObject()
              .put("namespace", pod.namespace())
              .put("name", pod.name())
              .put("uid", pod.uid())
              .put("resourceVersion", "0");
      JsonObject whole =
          new JsonObject()
              .put("apiVersion", "v1")
              .put("kind", "Pod")
              .put("metadata", metadata)
              .put("status", status);
      try {
        return decoder.decode(whole.toBuffer()).status();
      } catch (RuntimeException e) {
        String known = e instanceof DecodeException malformed ? malformed.pointer() : "";
        String pointer = known.isEmpty() ? "/status" : known;
        Object value = Pointers.find(whole, Pointers.tokens(pointer));
        throw new ContractException(
            Problem.of(pointer, value == null ? "" : value, "is no value of a PodStatus"));
      }
    }
  }
}
