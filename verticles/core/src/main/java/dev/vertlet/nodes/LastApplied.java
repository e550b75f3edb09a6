package dev.vertlet.nodes;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.model.node.TaintView;
import dev.vertlet.provider.node.NodeSpec;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The keys that an agent has put on a node, so that it can remove them later.
 *
 * @param taints {@code key=value:effect}, or {@code key:effect} without a value
 */
record LastApplied(List<String> labels, List<String> annotations, List<String> taints) {
  static final String ANNOTATION = "vertlet.dev/last-applied";

  private static final ObjectMapper JSON = new ObjectMapper();

  static LastApplied of(NodeSpec spec) {
    return new LastApplied(
        spec.labels().keySet().stream().sorted().toList(),
        spec.annotations().keySet().stream().sorted().toList(),
        spec.taints().stream().map(LastApplied::id).toList());
  }

  /** Parses the annotation; an invalid value counts as nothing applied. */
  static LastApplied decode(@Nullable String text) {
    try {
      JsonNode json = text == null ? JSON.createObjectNode() : JSON.readTree(text);
      return new LastApplied(list(json, "labels"), list(json, "annotations"), list(json, "taints"));
    } catch (JsonProcessingException e) {
      return new LastApplied(List.of(), List.of(), List.of());
    }
  }

  String encode() {
    ObjectNode json = JSON.createObjectNode();
    labels.forEach(json.putArray("labels")::add);
    annotations.forEach(json.putArray("annotations")::add);
    ArrayNode array = json.putArray("taints");
    taints.forEach(array::add);
    return json.toString();
  }

  /** Whether the agent has applied the taint, with any value. */
  boolean applied(TaintView taint) {
    String other = taint.key() + "=";
    String bare = taint.key() + ":" + taint.effect();
    return taints.stream()
        .anyMatch(
            id -> id.equals(bare) || id.startsWith(other) && id.endsWith(":" + taint.effect()));
  }

  /** Whether the agent has applied the taint with this value. */
  boolean appliedAs(TaintView taint) {
    return taints.contains(id(taint));
  }

  private static String id(TaintView taint) {
    String value = taint.value().isEmpty() ? "" : "=" + taint.value();
    return taint.key() + value + ":" + taint.effect();
  }

  private static List<String> list(JsonNode json, String field) {
    List<String> values = new ArrayList<>();
    json.path(field).forEach(value -> values.add(value.asText()));
    return values;
  }
}
