package dev.vertlet.sandboxes;

import dev.vertlet.sandbox.pool.PoolStatus;
import dev.vertlet.sandbox.pool.claim.ClaimRequest;
import dev.vertlet.sandbox.pool.claim.Sandbox;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Converts the API's JSON documents. Uses no I/O. */
final class Documents {
  private static final Set<String> CLAIM =
      Set.of(
          "id",
          "image",
          "images",
          "labels",
          "annotations",
          "waitSeconds",
          "startupTimeoutSeconds",
          "idleTimeoutSeconds");

  private static final int LONGEST_SECONDS = 86_400;

  private Documents() {}

  /**
   * Parses a claim.
   *
   * @param newId ID of a claim without one
   * @throws IllegalArgumentException with field, value and what is allowed
   */
  static ClaimRequest claim(String body, String newId) {
    JsonObject json;
    try {
      json = new JsonObject(body);
    } catch (DecodeException e) {
      throw new IllegalArgumentException("the body must be a JSON object");
    }
    for (String key : json.fieldNames()) {
      if (!CLAIM.contains(key)) {
        throw new IllegalArgumentException("unknown field \"" + key + "\"");
      }
    }
    Map<String, String> images = texts(json, "images");
    if (json.containsKey("image")) {
      images.put("", text(json, "image"));
    }
    return new ClaimRequest(
        json.containsKey("id") ? text(json, "id") : newId,
        images,
        texts(json, "labels"),
        texts(json, "annotations"),
        seconds(json, "waitSeconds"),
        seconds(json, "startupTimeoutSeconds"),
        seconds(json, "idleTimeoutSeconds"));
  }

  private static String text(JsonObject json, String field) {
    if (json.getValue(field) instanceof String text) {
      return text;
    }
    throw new IllegalArgumentException(field + " must be a text");
  }

  private static Map<String, String> texts(JsonObject json, String field) {
    Map<String, String> texts = new LinkedHashMap<>();
    Object value = json.getValue(field);
    if (value == null) {
      return texts;
    }
    if (value instanceof JsonObject object) {
      object.fieldNames().forEach(key -> texts.put(key, text(object, key)));
      return texts;
    }
    throw new IllegalArgumentException(field + " must be an object of texts");
  }

  private static @Nullable Duration seconds(JsonObject json, String field) {
    Object value = json.getValue(field);
    if (value == null) {
      return null;
    }
    if (value instanceof Number number) {
      double seconds = number.doubleValue();
      if (seconds >= 0 && seconds <= LONGEST_SECONDS && seconds == Math.rint(seconds)) {
        return Duration.ofSeconds((long) seconds);
      }
    }
    throw new IllegalArgumentException(
        field + " must be a whole number from 0 to " + LONGEST_SECONDS);
  }

  static JsonObject sandbox(Sandbox sandbox) {
    JsonObject json =
        new JsonObject()
            .put("id", sandbox.id())
            .put("pool", sandbox.pool())
            .put("phase", sandbox.phase())
            .put("namespace", sandbox.namespace())
            .put("pod", sandbox.pod())
            .put("podUid", sandbox.uid());
    put(json, "node", sandbox.node());
    put(json, "podIP", sandbox.podIp());
    JsonObject images = new JsonObject();
    sandbox.images().forEach(images::put);
    json.put("images", images);
    put(json, "claimedAt", sandbox.claimedAt());
    put(json, "startedAt", sandbox.startedAt());
    put(json, "lastActive", sandbox.lastActive());
    put(json, "stopReason", sandbox.stopReason());
    put(json, "failureReason", sandbox.failureReason());
    return json;
  }

  private static void put(JsonObject json, String field, String text) {
    if (!text.isEmpty()) {
      json.put(field, text);
    }
  }

  static JsonObject pool(PoolStatus status) {
    JsonObject phases = new JsonObject();
    status.phases().forEach((phase, count) -> phases.put(phase.isEmpty() ? "none" : phase, count));
    return new JsonObject()
        .put("name", status.name())
        .put("namespace", status.namespace())
        .put("size", status.size())
        .put("ready", status.ready())
        .put("waiting", status.waiting())
        .put("phases", phases);
  }

  static JsonObject error(String reason, String message) {
    return new JsonObject()
        .put("error", new JsonObject().put("reason", reason).put("message", message));
  }
}
