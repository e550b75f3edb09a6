package dev.vertlet.api;

import dev.vertlet.api.route.Route;
import java.util.Set;

/**
 * Nodes that one port serves.
 *
 * @param node the only node; empty for a shared port
 * @param nodes all nodes that the port serves; may change while it listens
 * @param open whether it is the read-only port, which needs no authentication and serves less
 */
record Listener(String node, Set<String> nodes, boolean open) {
  static Listener of(String node) {
    return new Listener(node, Set.of(node), false);
  }

  static Listener shared(Set<String> nodes) {
    return new Listener(nodes.size() == 1 ? nodes.iterator().next() : "", Set.copyOf(nodes), false);
  }

  /**
   * @param nodes current nodes; thread-safe
   */
  static Listener changing(Set<String> nodes) {
    return new Listener("", nodes, false);
  }

  Listener readOnly() {
    return new Listener(node, nodes, true);
  }

  /** Returns the node of a route; empty when the path names none and the port is shared. */
  String nodeOf(Route route) {
    return route.node().isEmpty() ? node : route.node();
  }

  /** Returns whether the route names no node or a served one. */
  boolean serves(Route route) {
    return route.node().isEmpty() || nodes.contains(route.node());
  }
}
