package dev.vertlet.remote;

import dev.vertlet.model.PodDecoder;
import dev.vertlet.model.PodRef;
import dev.vertlet.model.PodStatusView;
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
     * @throws InvalidStateException if it breaks the contract
     */
    PodState read(JsonObject json) {
      PodRef pod = ref(json);
      if (!(json.getValue("status") instanceof JsonObject status)) {
        throw new InvalidStateException("/status must be an object");
      }
      return new PodState(
          pod,
          text(json, "node"),
          number(json, "generation"),
          json.getValue("fingerprint") instanceof String print ? print : "",
          number(json, "revision"),
          Boolean.TRUE.equals(json.getValue("finished")),
          status(pod, status));
    }

    /** Reads whose state it is. */
    static PodRef ref(JsonObject json) {
      return new PodRef(text(json, "namespace"), text(json, "name"), text(json, "uid"));
    }

    /** Reads a PodStatus. */
    PodStatusView status(PodRef pod, JsonObject status) {
      if (!(status.getValue("phase") instanceof String phase) || !PHASES.contains(phase)) {
        throw new InvalidStateException("/status/phase must be one of " + PHASES);
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
        throw new InvalidStateException("/status is no PodStatus: " + e.getMessage());
      }
    }

    static String text(JsonObject json, String key) {
      if (json.getValue(key) instanceof String text && !text.isEmpty()) {
        return text;
      }
      throw new InvalidStateException("/" + key + " must be a text");
    }

    static long number(JsonObject json, String key) {
      Object value = json.getValue(key);
      if (value instanceof Integer || value instanceof Long) {
        return ((Number) value).longValue();
      }
      throw new InvalidStateException("/" + key + " must be a whole number");
    }
  }

  /** A state breaks the contract. */
  static final class InvalidStateException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    InvalidStateException(String message) {
      super(message, null, false, false);
    }
  }
}
