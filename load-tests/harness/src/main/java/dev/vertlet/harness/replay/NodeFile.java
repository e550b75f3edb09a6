package dev.vertlet.harness.replay;

import dev.vertlet.config.document.ConfigException;
import dev.vertlet.manifest.ManifestException;
import dev.vertlet.manifest.ManifestText;
import dev.vertlet.problem.Problem;
import dev.vertlet.trace.RecordedNode;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Nodes of a file, in YAML or JSON: a Node, or a list of them as {@code kubectl get nodes -o json}
 * prints it.
 */
public final class NodeFile {
  private final Path file;

  private NodeFile(Path file) {
    this.file = file;
  }

  /**
   * Reads the nodes. Blocks.
   *
   * @throws ConfigException that names the file, the field and what is allowed
   */
  public static List<RecordedNode> read(Path file) {
    return new NodeFile(file).nodes();
  }

  private List<RecordedNode> nodes() {
    JsonObject document;
    try {
      document = new JsonObject(ManifestText.object(Files.readAllBytes(file)).toString());
    } catch (IOException e) {
      throw wrong("cannot be read: " + e.getMessage());
    } catch (ManifestException e) {
      throw wrong(String.valueOf(e.getMessage()));
    }
    List<RecordedNode> nodes = new ArrayList<>();
    if (document.getValue("items") instanceof JsonArray items) {
      for (int i = 0; i < items.size(); i++) {
        nodes.add(node(items.getValue(i), "items[" + i + "]"));
      }
    } else {
      nodes.add(node(document, "document"));
    }
    if (nodes.isEmpty()) {
      throw wrong("items: is empty and must have a Node at least");
    }
    return nodes;
  }

  private RecordedNode node(Object value, String place) {
    if (!(value instanceof JsonObject node) || !"Node".equals(node.getValue("kind"))) {
      throw wrong(place + ": must be a Node or a list of them");
    }
    JsonObject metadata = object(node, "metadata", place);
    if (!(metadata.getValue("name") instanceof String name)) {
      throw wrong(place + ".metadata.name: is missing; it must be the node's name");
    }
    JsonObject spec = object(node, "spec", place);
    JsonObject status = object(node, "status", place);
    Map<String, String> capacity = texts(status, "capacity", place + ".status");
    Map<String, String> allocatable = texts(status, "allocatable", place + ".status");
    if (capacity.isEmpty()) {
      throw wrong(place + ".status.capacity: is missing; it must have cpu, memory and pods");
    }
    return new RecordedNode(
        name,
        texts(metadata, "labels", place + ".metadata"),
        taints(spec, place),
        capacity,
        allocatable.isEmpty() ? capacity : allocatable,
        Boolean.TRUE.equals(spec.getValue("unschedulable")));
  }

  private List<RecordedNode.Taint> taints(JsonObject spec, String place) {
    List<RecordedNode.Taint> taints = new ArrayList<>();
    if (spec.getValue("taints") instanceof JsonArray array) {
      for (Object element : array) {
        if (!(element instanceof JsonObject taint)
            || !(taint.getValue("key") instanceof String key)
            || !(taint.getValue("effect") instanceof String effect)) {
          throw wrong(place + ".spec.taints: %s must have key and effect".formatted(element));
        }
        taints.add(
            new RecordedNode.Taint(key, String.valueOf(taint.getValue("value", "")), effect));
      }
    }
    return taints;
  }

  private JsonObject object(JsonObject parent, String field, String place) {
    Object value = parent.getValue(field);
    if (value == null) {
      return new JsonObject();
    }
    if (value instanceof JsonObject object) {
      return object;
    }
    throw wrong("%s.%s: %s must be an object".formatted(place, field, value));
  }

  private Map<String, String> texts(JsonObject parent, String field, String place) {
    Map<String, String> texts = new TreeMap<>();
    object(parent, field, place)
        .forEach(entry -> texts.put(entry.getKey(), String.valueOf(entry.getValue())));
    return texts;
  }

  private ConfigException wrong(String what) {
    return new ConfigException(Problem.about(file.toString(), what));
  }
}
