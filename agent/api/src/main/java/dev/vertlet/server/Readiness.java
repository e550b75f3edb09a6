package dev.vertlet.server;

import dev.vertlet.bus.LeaseAcquired;
import dev.vertlet.bus.LeaseLost;
import dev.vertlet.bus.NodeAdopted;
import dev.vertlet.bus.NodeRegistered;
import dev.vertlet.bus.NodeReleased;
import dev.vertlet.bus.NodesAssigned;
import dev.vertlet.bus.NodesListed;
import dev.vertlet.bus.PodsSynced;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Tracks the conditions that each node still needs before the agent serves it. Confined to one
 * context.
 *
 * <p>A node is ready while its object is registered, its pods have been listed and its Lease is
 * held. The agent is ready while all nodes that it creates are ready; with several agents, its
 * share of them.
 */
public final class Readiness {
  /** A body of thousands of names helps nobody. */
  private static final int NAMED = 20;

  private final Set<String> unregistered;
  private final Set<String> unsynced;

  /** Nodes without a Lease, with the reason. */
  private final Map<String, String> unleased = new HashMap<>();

  /** Term of each node's Lease: a pod list of an earlier term does not count. */
  private final Map<String, Integer> terms = new HashMap<>();

  private final Set<String> nodes;
  private final String identity;

  /** Null when no nodes are adopted. */
  private final @Nullable AdoptedReadiness adopted;

  /** Nodes that this agent is to serve. */
  private Set<String> own;

  private boolean divided;

  /** All nodes assigned to this agent, including adopted ones. */
  private Set<String> share = Set.of();

  /**
   * @param nodes that must be served before the agent is ready
   * @param adopting whether there are others, which come and go
   * @param identity the agent's, where several divide the nodes
   */
  public Readiness(Set<String> nodes, boolean adopting, String identity) {
    this.adopted = adopting ? new AdoptedReadiness() : null;
    this.identity = identity;
    this.nodes = Set.copyOf(nodes);
    this.own = this.nodes;
    this.unregistered = new TreeSet<>(nodes);
    this.unsynced = new TreeSet<>(nodes);
    nodes.forEach(node -> unleased.put(node, "not acquired yet"));
  }

  void on(NodesAssigned message) {
    divided = true;
    share =
        message.owners().entrySet().stream()
            .filter(entry -> identity.equals(entry.getValue()))
            .map(Map.Entry::getKey)
            .collect(Collectors.toUnmodifiableSet());
    own = nodes.stream().filter(share::contains).collect(Collectors.toUnmodifiableSet());
  }

  void on(NodesListed message) {
    if (adopted != null) {
      adopted.listed();
    }
  }

  void on(NodeAdopted message) {
    if (adopted != null) {
      adopted.adopted(message.node());
    }
  }

  void on(NodeReleased message) {
    if (adopted != null) {
      adopted.released(message.node());
    }
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
    if (adopted != null) {
      adopted.waits(node, "");
    }
    unleased.remove(node);
    boolean newTerm = message.term() > terms.getOrDefault(node, 0);
    if (newTerm && nodes.contains(node)) {
      terms.put(node, message.term());
      unsynced.add(node);
    }
  }

  void on(LeaseLost message) {
    if (adopted != null) {
      adopted.waits(message.node(), message.reason());
    }
    if (nodes.contains(message.node())) {
      unleased.put(message.node(), message.reason());
    }
  }

  /** Whether the agent serves all nodes that it has to. */
  public boolean isReady() {
    return (adopted == null || adopted.isReady())
        && waiting(unregistered).isEmpty()
        && waiting(unsynced).isEmpty()
        && waiting(unleased.keySet()).isEmpty();
  }

  private List<String> waiting(Set<String> all) {
    return all.stream().filter(own::contains).sorted().toList();
  }

  /**
   * Returns one line per condition, in the style of Kubernetes' verbose health checks.
   *
   * @param named whether the lines name unready nodes
   */
  List<String> lines(boolean named) {
    List<String> leases =
        waiting(unleased.keySet()).stream()
            .map(node -> node + " (" + unleased.get(node) + ")")
            .toList();
    List<String> lines = new ArrayList<>();
    lines.add(line("nodes-registered", waiting(unregistered), named));
    lines.add(line("pods-synced", waiting(unsynced), named));
    lines.add(line("leases-held", leases, named));
    if (adopted != null) {
      lines.add(adopted.line(share, divided, named ? NAMED : 0));
    }
    return lines;
  }

  private String line(String check, List<String> waiting, boolean named) {
    if (waiting.isEmpty()) {
      return "[+]" + check + " ok";
    }
    String line = "[-]%s waiting: %d of %d nodes".formatted(check, waiting.size(), own.size());
    if (!named) {
      return line;
    }
    String names = String.join(", ", waiting.subList(0, Math.min(NAMED, waiting.size())));
    String more = waiting.size() > NAMED ? " and " + (waiting.size() - NAMED) + " more" : "";
    return line + ": " + names + more;
  }
}
