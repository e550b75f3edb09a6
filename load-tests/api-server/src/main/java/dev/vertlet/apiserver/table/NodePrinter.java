package dev.vertlet.apiserver.table;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.apiserver.api.Json;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Prints nodes. */
final class NodePrinter implements Printer {
  private static final String ROLE_PREFIX = "node-role.kubernetes.io/";
  private static final String ROLE_LABEL = "kubernetes.io/role";
  private static final String UNKNOWN = "<unknown>";

  private static final List<Column> COLUMNS =
      List.of(
          Column.NAME,
          Column.text("Status"),
          Column.text("Roles"),
          Column.AGE,
          Column.text("Version"),
          Column.wide("Internal-IP"),
          Column.wide("External-IP"),
          Column.wide("OS-Image"),
          Column.wide("Kernel-Version"),
          Column.wide("Container-Runtime"));

  @Override
  public List<Column> columns() {
    return COLUMNS;
  }

  @Override
  public List<Object> cells(ObjectNode node, Instant now) {
    return List.of(
        Printers.name(node),
        status(node),
        Printers.orNone(String.join(",", roles(node))),
        Printers.age(node, now),
        Json.text(node, "status", "nodeInfo", "kubeletVersion"),
        address(node, "InternalIP"),
        address(node, "ExternalIP"),
        info(node, "osImage"),
        kernel(node),
        info(node, "containerRuntimeVersion"));
  }

  private static String status(ObjectNode node) {
    List<String> words = new ArrayList<>();
    for (JsonNode condition : Json.at(node, "status", "conditions")) {
      if (Json.text(condition, "type").equals("Ready")) {
        words.add(Json.text(condition, "status").equals("True") ? "Ready" : "NotReady");
      }
    }
    if (words.isEmpty()) {
      words.add("Unknown");
    }
    if (Json.at(node, "spec", "unschedulable").asBoolean(false)) {
      words.add("SchedulingDisabled");
    }
    return String.join(",", words);
  }

  private static Set<String> roles(ObjectNode node) {
    Set<String> roles = new TreeSet<>();
    for (Map.Entry<String, JsonNode> label : Json.at(node, "metadata", "labels").properties()) {
      String key = label.getKey();
      if (key.startsWith(ROLE_PREFIX) && key.length() > ROLE_PREFIX.length()) {
        roles.add(key.substring(ROLE_PREFIX.length()));
      } else if (key.equals(ROLE_LABEL) && !label.getValue().asText().isEmpty()) {
        roles.add(label.getValue().asText());
      }
    }
    return roles;
  }

  private static String address(ObjectNode node, String type) {
    for (JsonNode address : Json.at(node, "status", "addresses")) {
      if (Json.text(address, "type").equals(type)) {
        return Json.text(address, "address");
      }
    }
    return Printers.NONE;
  }

  private static String info(ObjectNode node, String field) {
    String text = Json.text(node, "status", "nodeInfo", field);
    return text.isEmpty() ? UNKNOWN : text;
  }

  private static String kernel(ObjectNode node) {
    String architecture = Json.text(node, "status", "nodeInfo", "architecture");
    String version = info(node, "kernelVersion");
    return architecture.isEmpty() ? version : version + " (" + architecture + ")";
  }
}
