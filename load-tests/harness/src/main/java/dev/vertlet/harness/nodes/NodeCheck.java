package dev.vertlet.harness.nodes;

import dev.vertlet.config.IpAddresses;
import dev.vertlet.model.Names;
import dev.vertlet.model.Quantities;
import dev.vertlet.problem.Pointers;
import dev.vertlet.problem.Problem;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The API server's rules for what a Node object holds, as far as it makes sense to tell them before
 * the first request. For a node whose shape {@link NodeShape} has checked.
 */
final class NodeCheck {
  /** The name is also the value of the label kubernetes.io/hostname, which holds no more. */
  private static final int LONGEST_NAME = 63;

  private static final Set<String> ADDRESS_TYPES =
      new TreeSet<>(Set.of("Hostname", "InternalIP", "ExternalIP", "InternalDNS", "ExternalDNS"));

  private final JsonObject node;
  private final List<Problem> problems = new ArrayList<>();

  NodeCheck(JsonObject node) {
    this.node = node;
  }

  /** In the order of the document. */
  List<Problem> problems() {
    JsonObject metadata = node.getJsonObject("metadata");
    String name = metadata.getString("name");
    if (name.length() > LONGEST_NAME) {
      refuse(
          List.of("metadata", "name"),
          name,
          "must be at most %d characters, as the label kubernetes.io/hostname; it has %d"
              .formatted(LONGEST_NAME, name.length()));
    } else {
      refuseIf(Names.checkSubdomain(name), List.of("metadata", "name"), name);
    }
    JsonObject labels = metadata.getJsonObject("labels", new JsonObject());
    keys(labels, "labels");
    for (Map.Entry<String, Object> label : labels) {
      String value = String.valueOf(label.getValue());
      refuseIf(Names.checkLabelValue(value), List.of("metadata", "labels", label.getKey()), value);
    }
    keys(metadata.getJsonObject("annotations", new JsonObject()), "annotations");
    taints(node.getJsonObject("spec", new JsonObject()).getJsonArray("taints", new JsonArray()));
    JsonObject status = node.getJsonObject("status", new JsonObject());
    quantities(status, "capacity");
    quantities(status, "allocatable");
    addresses(status.getJsonArray("addresses", new JsonArray()));
    return problems;
  }

  private void keys(JsonObject map, String field) {
    for (String key : map.fieldNames()) {
      Names.checkLabelKey(key)
          .ifPresent(
              rule ->
                  problems.add(
                      Problem.about(
                          Pointers.of(List.of("metadata", field, key)), "the key: " + rule)));
    }
  }

  private void taints(JsonArray taints) {
    for (int i = 0; i < taints.size(); i++) {
      JsonObject taint = taints.getJsonObject(i);
      String number = Integer.toString(i);
      String key = taint.getString("key", "");
      String value = taint.getString("value", "");
      String effect = taint.getString("effect", "");
      refuseIf(Names.checkLabelKey(key), List.of("spec", "taints", number, "key"), key);
      refuseIf(Names.checkLabelValue(value), List.of("spec", "taints", number, "value"), value);
      refuseIf(Names.checkTaintEffect(effect), List.of("spec", "taints", number, "effect"), effect);
    }
  }

  private void quantities(JsonObject status, String field) {
    for (Map.Entry<String, Object> entry : status.getJsonObject(field, new JsonObject())) {
      String value = String.valueOf(entry.getValue());
      try {
        Quantities.parseNotNegative(entry.getKey(), value);
      } catch (IllegalArgumentException e) {
        refuse(
            List.of("status", field, entry.getKey()),
            value,
            "must be a quantity from 0 up, such as \"4\", \"500m\" or \"8Gi\"");
      }
    }
  }

  private void addresses(JsonArray addresses) {
    for (int i = 0; i < addresses.size(); i++) {
      JsonObject address = addresses.getJsonObject(i);
      String number = Integer.toString(i);
      String type = address.getString("type", "");
      String text = address.getString("address", "");
      List<String> place = List.of("status", "addresses", number, "address");
      if (!ADDRESS_TYPES.contains(type)) {
        refuse(
            List.of("status", "addresses", number, "type"),
            type,
            "must be one of " + String.join(", ", ADDRESS_TYPES));
      } else if (!type.endsWith("IP")) {
        refuseIf(Names.checkSubdomain(text), place, text);
      } else if (!IpAddresses.isIp(text)) {
        refuse(place, text, "must be an IPv4 or IPv6 address");
      }
    }
  }

  private void refuse(List<String> path, Object value, String allowed) {
    problems.add(Problem.of(Pointers.of(path), value, allowed));
  }

  private void refuseIf(Optional<String> brokenRule, List<String> path, Object value) {
    brokenRule.ifPresent(rule -> refuse(path, value, Names.demand(rule)));
  }
}
