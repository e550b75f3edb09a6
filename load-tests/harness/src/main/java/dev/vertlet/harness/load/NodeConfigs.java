package dev.vertlet.harness.load;

import dev.vertlet.configsync.ConfigAnnotations;
import dev.vertlet.model.node.NodeView;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Version of the load's ConfigMap that each node reports as active. Not thread-safe. */
final class NodeConfigs {
  /** Active version by node; empty for none. */
  private final Map<String, String> active = new HashMap<>();

  private final Set<String> counted = new HashSet<>();
  private String expected = "";

  /** Whether no version was rolled out yet. */
  boolean isEmpty() {
    return expected.isEmpty();
  }

  /**
   * Sets the expected version.
   *
   * @return number of nodes that run it already
   */
  int expect(String version) {
    expected = version;
    counted.clear();
    active.forEach((node, runs) -> count(node, runs));
    return counted.size();
  }

  /** Records a node's active version; returns whether the node newly runs the expected one. */
  boolean observe(NodeView node) {
    String runs = active(node.annotations().getOrDefault(ConfigAnnotations.STATUS, "{}"));
    active.put(node.name(), runs);
    return count(node.name(), runs);
  }

  private boolean count(String node, String runs) {
    return !expected.isEmpty() && runs.equals(expected) && counted.add(node);
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
}
