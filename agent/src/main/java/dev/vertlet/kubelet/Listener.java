package dev.vertlet.kubelet;

import java.util.Set;

/**
 * Whom one port speaks for.
 *
 * @param node the only node; empty for a port that several share
 * @param nodes all whose pods and figures are served there; may change while it listens
 * @param open everybody may ask, and less is served: the read-only port
 */
record Listener(String node, Set<String> nodes, boolean open) {
  static Listener of(String node) {
    return new Listener(node, Set.of(node), false);
  }

  static Listener shared(Set<String> nodes) {
    return new Listener(nodes.size() == 1 ? nodes.iterator().next() : "", Set.copyOf(nodes), false);
  }

  /**
   * @param nodes those that there are at each time; on any thread
   */
  static Listener changing(Set<String> nodes) {
    return new Listener("", nodes, false);
  }

  Listener readOnly() {
    return new Listener(node, nodes, true);
  }

  /** The node that a route is for; empty when the path names none and the port has several. */
  String nodeOf(Route route) {
    return route.node().isEmpty() ? node : route.node();
  }

  /** Whether the route names no node, or one that is served here. */
  boolean serves(Route route) {
    return route.node().isEmpty() || nodes.contains(route.node());
  }
}
