package dev.vertlet.server;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Readiness of the adopted nodes. Adopted nodes come and go, so none of them keeps the agent from
 * being ready; only their first list does. Confined to one context.
 */
final class AdoptedReadiness {
  /** Missing condition by node; empty for a served node. */
  private final Map<String, String> nodes = new HashMap<>();

  private boolean listed;

  boolean isReady() {
    return listed;
  }

  void listed() {
    listed = true;
  }

  void adopted(String node) {
    nodes.put(node, "not acquired yet");
  }

  void released(String node) {
    nodes.remove(node);
  }

  /**
   * @param reason empty for a served node
   */
  void waits(String node, String reason) {
    nodes.computeIfPresent(node, (name, before) -> reason);
  }

  /**
   * Returns the summary line.
   *
   * @param own nodes that this agent serves
   * @param divided whether other agents serve the remaining nodes; otherwise this agent serves all
   * @param most names to list; 0 for the number alone
   */
  String line(Set<String> own, boolean divided, int most) {
    if (!listed) {
      return "[-]nodes-adopted waiting: the list of nodes";
    }
    Map<String, String> waiting = new TreeMap<>();
    nodes.forEach(
        (node, reason) -> {
          if (!reason.isEmpty() && (!divided || own.contains(node))) {
            waiting.put(node, reason);
          }
        });
    String all = "[+]nodes-adopted ok: %d nodes adopted".formatted(nodes.size());
    if (waiting.isEmpty()) {
      return all;
    }
    String some = all + ", %d not served".formatted(waiting.size());
    if (most == 0) {
      return some;
    }
    List<String> named =
        waiting.entrySet().stream()
            .limit(most)
            .map(entry -> entry.getKey() + " (" + entry.getValue() + ")")
            .toList();
    String more = waiting.size() > most ? " and " + (waiting.size() - most) + " more" : "";
    return some + ": " + String.join(", ", named) + more;
  }
}
