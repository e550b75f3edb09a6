package dev.vertlet.simulation;

import dev.vertlet.model.WatchEvent;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.status.PodStatusView;
import dev.vertlet.model.wire.PodDecoder;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;

/** What an API server does with a strategic merge patch of a pod's status. */
final class StatusMerge {
  /** Safe on any thread. */
  static final PodDecoder DECODER = new PodDecoder();

  private static final JsonObject META =
      new JsonObject()
          .put("name", "p")
          .put("namespace", "ns")
          .put("uid", "u")
          .put("resourceVersion", "1");

  private StatusMerge() {}

  static JsonObject merge(JsonObject held, JsonObject patch) {
    JsonObject merged = new JsonObject(new java.util.LinkedHashMap<>(held.getMap()));
    for (String field : patch.fieldNames()) {
      Object value = patch.getValue(field);
      if (value == null) {
        merged.remove(field);
      } else if (field.equals("conditions")) {
        merged.put(field, keyed("type", held.getJsonArray(field), (JsonArray) value));
      } else if (field.endsWith("IPs")) {
        merged.put(field, keyed("ip", held.getJsonArray(field), (JsonArray) value));
      } else {
        merged.put(field, value);
      }
    }
    return merged;
  }

  /** Elements of one key merge; a directive makes the patch the whole list. */
  private static JsonArray keyed(
      String key, @org.jspecify.annotations.Nullable JsonArray held, JsonArray patch) {
    JsonArray merged = new JsonArray();
    boolean replace = patch.stream().anyMatch(e -> ((JsonObject) e).containsKey("$patch"));
    if (held != null && !replace) {
      held.forEach(merged::add);
    }
    for (Object element : patch) {
      JsonObject change = (JsonObject) element;
      if (change.containsKey("$patch")) {
        continue;
      }
      int at = indexOf(merged, key, change.getString(key));
      if (at < 0) {
        merged.add(merge(new JsonObject(), change));
      } else {
        merged.set(at, merge(merged.getJsonObject(at), change));
      }
    }
    return merged;
  }

  private static int indexOf(JsonArray list, String key, String value) {
    for (int i = 0; i < list.size(); i++) {
      if (value.equals(list.getJsonObject(i).getString(key))) {
        return i;
      }
    }
    return -1;
  }

  static PodStatusView decode(JsonObject status) {
    JsonObject pod =
        new JsonObject().put("metadata", META).put("spec", new JsonObject()).put("status", status);
    JsonObject event = new JsonObject().put("type", "MODIFIED").put("object", pod);
    if (DECODER.decodeEvent(PodDecoder.WATCH_JSON, event.toBuffer())
        instanceof WatchEvent.Upsert<PodView> upsert) {
      return upsert.object().status();
    }
    throw new IllegalStateException("no pod: " + event);
  }
}
