package dev.vertlet.harness.load;

import dev.vertlet.configsync.ConfigAnnotations;
import dev.vertlet.model.NodeView;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Which version of the load's ConfigMap each node says that it runs by. Not thread-safe. */
final class NodeConfigs {
  /** By node; empty for none. */
  private final Map<String, String> active = new HashMap<>();

  private final Set<String> counted = new HashSet<>();
  private String expected = "";

  /** Whether nothing was rolled out yet. */
  boolean isEmpty() {
    return expected.isEmpty();
  }

  /** From now on those count that run by this version. */
  void expect(String version) {
    expected = version;
    counted.clear();
  }

  void observe(NodeView node) {
    active.put(
        node.name(), active(node.annotations().getOrDefault(ConfigAnnotations.STATUS, "{}")));
  }

  private static String active(String status) {
    try {
      JsonObject none = new JsonObject();
      return new JsonObject(status)
          .getJsonObject("active", none)
          .getJsonObject("configMap", none)
          .getString("resourceVersion", "");
    } catch (DecodeException | ClassCastException e) {
      return "";
    }
  }

  /** Those that run by it and were not named before. */
  List<String> arrived() {
    List<String> arrived = new ArrayList<>();
    active.forEach(
        (node, version) -> {
          if (!expected.isEmpty() && version.equals(expected) && counted.add(node)) {
            arrived.add(node);
          }
        });
    return arrived;
  }
}
