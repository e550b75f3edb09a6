package dev.vertlet.rollout;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Compares a payload with a node's {@code /configz}. */
final class PayloadDiff {
  private static final Set<String> TYPE = Set.of("/apiVersion", "/kind");

  private PayloadDiff() {}

  /**
   * Returns a line per field that the payload changes, sorted by pointer. Omitted fields get their
   * defaults, which only the agent knows.
   */
  static List<String> lines(JsonNode shown, JsonNode payload) {
    Map<String, String> before = new TreeMap<>();
    Map<String, String> after = new TreeMap<>();
    boolean whole = payload.path("kind").asText().equals("VertletConfiguration");
    flatten("", shown.path(whole ? "vertletconfig" : "kubeletconfig"), before);
    flatten("", payload, after);
    List<String> lines = new ArrayList<>();
    after.forEach(
        (pointer, value) -> {
          String old = before.get(pointer);
          if (!TYPE.contains(pointer) && !value.equals(old)) {
            lines.add("%s: %s -> %s".formatted(pointer, old == null ? "unset" : old, value));
          }
        });
    return lines;
  }

  private static void flatten(String pointer, JsonNode value, Map<String, String> into) {
    if (value instanceof ObjectNode object) {
      object
          .fields()
          .forEachRemaining(
              field -> flatten(pointer + "/" + field.getKey(), field.getValue(), into));
    } else if (!value.isMissingNode() && !value.isNull()) {
      into.put(pointer, value.toString());
    }
  }
}
