package dev.vertlet.harness.nodes;

import dev.vertlet.config.node.NodeRules;
import dev.vertlet.model.Names;
import dev.vertlet.problem.Pointers;
import dev.vertlet.problem.Problems;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Checks the API server's rules for a Node object that are worth checking before the first request.
 * For a node whose shape {@link NodeShape} has checked.
 */
final class NodeCheck {
  /** Limit of the name, which is also the value of the label kubernetes.io/hostname. */
  private static final int LONGEST_NAME = 63;

  private static final Set<String> ADDRESS_TYPES =
      new TreeSet<>(Set.of("Hostname", "InternalIP", "ExternalIP", "InternalDNS", "ExternalDNS"));

  private final JsonObject node;
  private final Problems problems;

  NodeCheck(JsonObject node, Problems problems) {
    this.node = node;
    this.problems = problems;
  }

  /** Checks the fields in the order of the document. */
  void run() {
    JsonObject metadata = node.getJsonObject("metadata");
    String name = metadata.getString("name");
    if (name.length() > LONGEST_NAME) {
      problems.refuse(
          "/metadata/name",
          name,
          "must be at most %d characters, as the label kubernetes.io/hostname; it has %d"
              .formatted(LONGEST_NAME, name.length()));
    } else {
      problems.rule(Names.checkSubdomain(name), "/metadata/name", name);
    }
    NodeRules.labels(map(metadata, "labels"), problems.at("/metadata/labels"));
    NodeRules.keys(map(metadata, "annotations"), problems.at("/metadata/annotations"));
    taints(node.getJsonObject("spec", new JsonObject()).getJsonArray("taints", new JsonArray()));
    JsonObject status = node.getJsonObject("status", new JsonObject());
    quantities(status, "capacity");
    quantities(status, "allocatable");
    addresses(status.getJsonArray("addresses", new JsonArray()));
  }

  private static Map<String, Object> map(JsonObject object, String field) {
    return object.getJsonObject(field, new JsonObject()).getMap();
  }

  private void taints(JsonArray taints) {
    for (int i = 0; i < taints.size(); i++) {
      JsonObject taint = taints.getJsonObject(i);
      String effect = taint.getString("effect", "");
      Problems ofTaint = problems.at("/spec/taints/" + i);
      NodeRules.taint(taint.getString("key", ""), taint.getString("value", ""), ofTaint);
      ofTaint.rule(Names.checkTaintEffect(effect), "/effect", effect);
    }
  }

  private void quantities(JsonObject status, String field) {
    map(status, field)
        .forEach(
            (resource, value) ->
                problems.quantity(
                    Pointers.of("status", field, resource), resource, String.valueOf(value)));
  }

  private void addresses(JsonArray addresses) {
    for (int i = 0; i < addresses.size(); i++) {
      JsonObject address = addresses.getJsonObject(i);
      String type = address.getString("type", "");
      Problems ofAddress = problems.at("/status/addresses/" + i);
      if (ADDRESS_TYPES.contains(type)) {
        NodeRules.address(type, address.getString("address", ""), ofAddress);
      } else {
        ofAddress.refuse("/type", type, "must be one of " + String.join(", ", ADDRESS_TYPES));
      }
    }
  }
}
