package dev.vertlet.nodes;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.model.node.NodeStatusView;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/**
 * Status of an adopted node: its existing fields stay, and only missing ones are filled in. Pure.
 */
final class AdoptedStatus {
  private AdoptedStatus() {}

  /**
   * Returns the status to write. The node's creator sets the kubelet endpoint, unless this agent
   * serves the node's kubelet API.
   */
  static NodeStatusView complete(NodeStatusView current, NodeStatusView defaults) {
    boolean reached = defaults.kubeletPort() != 0;
    return new NodeStatusView(
        filled(current.capacity(), defaults.capacity()),
        filled(current.allocatable(), defaults.allocatable()),
        defaults.conditions(),
        current.addresses().isEmpty() ? defaults.addresses() : current.addresses(),
        filled(current.nodeInfo(), defaults.nodeInfo()),
        reached ? defaults.kubeletPort() : current.kubeletPort(),
        reached ? defaults.declaredFeatures() : current.declaredFeatures(),
        defaults.features(),
        null);
  }

  /** Fills in missing values; the API server writes unset fields as empty strings. */
  private static Map<String, String> filled(
      Map<String, String> current, Map<String, String> defaults) {
    Map<String, String> filled = new HashMap<>(defaults);
    current.forEach(
        (key, value) -> {
          if (!value.isEmpty()) {
            filled.put(key, value);
          }
        });
    return filled;
  }

  /**
   * Removes the node's existing fields from a status patch, so that it does not overwrite a
   * concurrent change.
   */
  static void trim(ObjectNode status, NodeStatusView current) {
    drop(status, "capacity", current.capacity());
    drop(status, "allocatable", current.allocatable());
    drop(status, "nodeInfo", current.nodeInfo());
    int port = status.path("daemonEndpoints").path("kubeletEndpoint").path("Port").asInt(0);
    if (port == current.kubeletPort()) {
      status.remove("daemonEndpoints");
    }
  }

  private static void drop(ObjectNode status, String field, Map<String, String> current) {
    if (status.get(field) instanceof ObjectNode values) {
      Collection<String> known =
          current.entrySet().stream()
              .filter(entry -> !entry.getValue().isEmpty())
              .map(Map.Entry::getKey)
              .toList();
      values.remove(known);
      if (values.isEmpty()) {
        status.remove(field);
      }
    }
  }
}
