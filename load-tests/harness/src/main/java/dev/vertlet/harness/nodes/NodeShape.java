package dev.vertlet.harness.nodes;

import dev.vertlet.problem.Pointers;
import dev.vertlet.problem.Problems;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Checks that a template is a Node and that each of its fields has the right type. */
final class NodeShape {
  private static final Set<String> FIELDS =
      new TreeSet<>(Set.of("apiVersion", "kind", "metadata", "spec", "status"));

  private final Problems problems;

  private NodeShape(Problems problems) {
    this.problems = problems;
  }

  /** Checks a template. Without problems, its placeholders can be filled and its values checked. */
  static void check(JsonObject template, Problems problems) {
    new NodeShape(problems).check(template);
  }

  private void check(JsonObject template) {
    for (String field : template.fieldNames()) {
      if (!FIELDS.contains(field)) {
        refuse(
            List.of(field),
            template.getValue(field),
            "is no field of a Node; it has " + String.join(", ", FIELDS));
      }
    }
    word(template, "apiVersion", "v1");
    word(template, "kind", "Node");
    JsonObject metadata = object(template, List.of("metadata"));
    if (!metadata.containsKey("name")) {
      problems.about("/metadata/name", "is missing; it must be such as \"virtual-{i}\"");
    } else if (!(metadata.getValue("name") instanceof String name)
        || name.split("\\{i}", -1).length != 2) {
      refuse(
          List.of("metadata", "name"),
          metadata.getValue("name"),
          "must contain {i}, the number of the node, once");
    }
    if (metadata.containsKey("namespace")) {
      refuse(
          List.of("metadata", "namespace"),
          metadata.getValue("namespace"),
          "must not be there: nodes are in no namespace");
    }
    texts(metadata, "metadata", "labels");
    texts(metadata, "metadata", "annotations");
    JsonObject labels = object(metadata, "metadata", "labels");
    Object managed = labels.getValue(NodeSet.LABEL);
    if (managed != null && !managed.equals(NodeSet.VALUE)) {
      refuse(
          List.of("metadata", "labels", NodeSet.LABEL),
          managed,
          "must be " + NodeSet.VALUE + ", by which this command knows its nodes, or be left out");
    }
    list(object(template, List.of("spec")), "spec", "taints");
    JsonObject status = object(template, List.of("status"));
    list(status, "status", "addresses");
    quantities(status, "capacity");
    quantities(status, "allocatable");
  }

  private void word(JsonObject template, String field, String value) {
    Object found = template.getValue(field);
    if (found == null) {
      problems.about("/" + field, "is missing; it must be \"" + value + "\"");
    } else if (!found.equals(value)) {
      refuse(List.of(field), found, "must be \"" + value + "\"");
    }
  }

  private JsonObject object(JsonObject parent, List<String> path) {
    Object found = parent.getValue(path.get(path.size() - 1));
    if (found instanceof JsonObject object) {
      return object;
    }
    if (found != null) {
      refuse(path, found, "must be an object");
    }
    return new JsonObject();
  }

  private JsonObject object(JsonObject parent, String section, String field) {
    return parent.getValue(field) instanceof JsonObject object
        ? object
        : object(parent, List.of(section, field));
  }

  /** Requires texts: YAML may have read a value as a number or boolean. */
  private void texts(JsonObject metadata, String section, String field) {
    if (metadata.getValue(field) instanceof JsonObject map) {
      texts(map, List.of(section, field), "must be text: put it in quotes");
    }
  }

  /** Accepts numbers as quantities and converts them to text, as the API server does. */
  private void quantities(JsonObject status, String field) {
    JsonObject map = object(status, "status", field);
    for (String key : Set.copyOf(map.fieldNames())) {
      if (map.getValue(key) instanceof Number number) {
        map.put(key, number.toString());
      }
    }
    texts(map, List.of("status", field), "must be a quantity, such as \"4\" or \"8Gi\"");
  }

  private void texts(JsonObject map, List<String> path, String allowed) {
    for (String key : map.fieldNames()) {
      Object value = map.getValue(key);
      if (!(value instanceof String)) {
        List<String> place = new ArrayList<>(path);
        place.add(key);
        refuse(place, value, allowed);
      }
    }
  }

  private void list(JsonObject parent, String section, String field) {
    Object found = parent.getValue(field);
    if (found == null) {
      return;
    }
    if (!(found instanceof JsonArray list)) {
      refuse(List.of(section, field), found, "must be a list of objects");
      return;
    }
    for (int i = 0; i < list.size(); i++) {
      Object item = list.getValue(i);
      List<String> place = List.of(section, field, Integer.toString(i));
      if (item instanceof JsonObject object) {
        texts(object, place, "must be text: put it in quotes");
      } else {
        refuse(place, item, "must be an object");
      }
    }
  }

  private void refuse(List<String> path, @Nullable Object value, String allowed) {
    problems.refuse(Pointers.of(path), value == null ? "null" : value, allowed);
  }
}
