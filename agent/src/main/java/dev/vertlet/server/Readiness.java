package dev.vertlet.server;

import dev.vertlet.bus.LeaseAcquired;
import dev.vertlet.bus.LeaseLost;
import dev.vertlet.bus.NodeRegistered;
import dev.vertlet.bus.NodesAssigned;
import dev.vertlet.bus.PodsSynced;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * What each node still waits for until the agent serves it. Confined to one context.
 *
 * <p>A node counts as ready while its object is registered, its pods have been listed and its Lease
 * is held. The agent is ready while all its nodes are; where several divide the nodes, its share.
 */
final class Readiness {
  /** A body of thousands of names helps nobody. */
  private static final int NAMED = 20;

  private final Set<String> unregistered;
  private final Set<String> unsynced;

  /** Nodes without a Lease, with the reason. */
  private final Map<String, String> unleased = new HashMap<>();

  /** By node: a list of an earlier term of its Lease does not count. */
  private final Map<String, Integer> terms = new HashMap<>();

  private final Set<String> nodes;
  private final String identity;

  /** Nodes that this agent shall serve. */
  private Set<String> own;

  /**
   * @param identity the agent's, where several divide the nodes
   */
  Readiness(Set<String> nodes, String identity) {
    this.identity = identity;
    this.nodes = Set.copyOf(nodes);
    this.own = this.nodes;
    this.unregistered = new TreeSet<>(nodes);
    this.unsynced = new TreeSet<>(nodes);
    nodes.forEach(node -> unleased.put(node, "not acquired yet"));
  }

  void on(NodesAssigned message) {
    own =
        nodes.stream()
            .filter(node -> identity.equals(message.owners().get(node)))
            .collect(Collectors.toUnmodifiableSet());
  }

  void on(NodeRegistered message) {
    unregistered.remove(message.node());
  }

  void on(PodsSynced message) {
    for (String node : message.nodes()) {
      if (message.term() >= terms.getOrDefault(node, 0)) {
        unsynced.remove(node);
      }
    }
  }

  void on(LeaseAcquired message) {
    String node = message.node();
    unleased.remove(node);
    boolean newTerm = message.term() > terms.getOrDefault(node, 0);
    if (newTerm && nodes.contains(node)) {
      terms.put(node, message.term());
      unsynced.add(node);
    }
  }

  void on(LeaseLost message) {
    if (nodes.contains(message.node())) {
      unleased.put(message.node(), message.reason());
    }
  }

  boolean isReady() {
    return waiting(unregistered).isEmpty()
        && waiting(unsynced).isEmpty()
        && waiting(unleased.keySet()).isEmpty();
  }

  private List<String> waiting(Set<String> all) {
    return all.stream().filter(own::contains).sorted().toList();
  }

  /** One line for each condition, in the style of Kubernetes' own verbose health checks. */
  List<String> lines() {
    List<String> leases =
        waiting(unleased.keySet()).stream()
            .map(node -> node + " (" + unleased.get(node) + ")")
            .toList();
    return List.of(
        line("nodes-registered", waiting(unregistered)),
        line("pods-synced", waiting(unsynced)),
        line("leases-held", leases));
  }

  private String line(String check, List<String> waiting) {
    if (waiting.isEmpty()) {
      return "[+]" + check + " ok";
    }
    String names = String.join(", ", waiting.subList(0, Math.min(NAMED, waiting.size())));
    String more = waiting.size() > NAMED ? " and " + (waiting.size() - NAMED) + " more" : "";
    return "[-]%s waiting: %d of %d nodes: %s%s"
        .formatted(check, waiting.size(), own.size(), names, more);
  }
}
