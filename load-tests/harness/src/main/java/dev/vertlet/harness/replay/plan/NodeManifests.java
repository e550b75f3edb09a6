package dev.vertlet.harness.replay.plan;

import dev.vertlet.trace.RecordedNode;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;

/** Node objects with the shapes of recorded nodes. */
final class NodeManifests {
  private static final String HOSTNAME = "kubernetes.io/hostname";

  /** Taints that a cluster sets itself by the node's conditions. */
  private static final List<String> OF_CONDITIONS =
      List.of("node.kubernetes.io/", "node.cloudprovider.kubernetes.io/");

  private final String id;

  NodeManifests(String id) {
    this.id = id;
  }

  /** Name of a copy of a node or pod; the first has the recorded name. */
  static String copy(String name, int copy) {
    return copy == 0 ? name : name + "-x" + (copy + 1);
  }

  /** Whole object of a node. */
  JsonObject node(RecordedNode node, int copy) {
    JsonObject changing = metadataAndSpec(node, copy);
    changing.getJsonObject("metadata").put("name", copy(node.name(), copy));
    return new JsonObject()
        .put("apiVersion", "v1")
        .put("kind", "Node")
        .mergeIn(changing)
        .put("status", status(node));
  }

  /** Labels, taints and whether pods may be scheduled. */
  JsonObject metadataAndSpec(RecordedNode node, int copy) {
    JsonObject labels = json(node.labels()).put(ReplayLabels.REPLAY, id);
    if (copy > 0 && labels.containsKey(HOSTNAME)) {
      labels.put(HOSTNAME, copy(node.name(), copy));
    }
    JsonArray taints =
        new JsonArray()
            .add(
                new JsonObject()
                    .put("key", ReplayLabels.REPLAY)
                    .put("value", id)
                    .put("effect", "NoSchedule"));
    for (RecordedNode.Taint taint : node.taints()) {
      if (OF_CONDITIONS.stream().noneMatch(taint.key()::startsWith)) {
        taints.add(
            new JsonObject()
                .put("key", taint.key())
                .put("value", taint.value())
                .put("effect", taint.effect()));
      }
    }
    return new JsonObject()
        .put("metadata", new JsonObject().put("labels", labels))
        .put(
            "spec",
            new JsonObject().put("unschedulable", node.unschedulable()).put("taints", taints));
  }

  /** Capacity and allocatable. */
  static JsonObject status(RecordedNode node) {
    return new JsonObject()
        .put("capacity", json(node.capacity()))
        .put("allocatable", json(node.allocatable()));
  }

  private static JsonObject json(Map<String, String> map) {
    JsonObject json = new JsonObject();
    map.forEach(json::put);
    return json;
  }
}
