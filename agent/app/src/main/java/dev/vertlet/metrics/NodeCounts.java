package dev.vertlet.metrics;

import dev.vertlet.bus.LeaseAcquired;
import dev.vertlet.bus.LeaseLost;
import dev.vertlet.bus.NodeAdopted;
import dev.vertlet.bus.NodeReleased;
import dev.vertlet.bus.NodeStatusChanged;
import dev.vertlet.bus.NodesAssigned;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Counts the nodes of this agent, its Ready nodes and its held Leases. Receives messages on one
 * context; the counts are thread-safe.
 */
final class NodeCounts {
  private final String identity;
  private final Map<String, Known> nodes = new HashMap<>();

  // written on one context, read by scrapes
  private final AtomicInteger own = new AtomicInteger();
  private final AtomicInteger ready = new AtomicInteger();
  private final AtomicInteger held = new AtomicInteger();

  /** Agent identities by node; null for a single agent. */
  private @Nullable Map<String, String> owners;

  private record Known(boolean ready, boolean held) {}

  /**
   * @param names names of the nodes that the agent creates
   * @param identity identity of this agent among several that divide the nodes
   */
  NodeCounts(Collection<String> names, String identity) {
    this.identity = identity;
    names.forEach(this::add);
  }

  /** Returns the number of this agent's nodes: all known nodes, or its share of them. */
  int own() {
    return own.get();
  }

  /** Returns the number of {@link #own} nodes whose Ready condition is True. */
  int ready() {
    return ready.get();
  }

  /** Returns the number of Leases that this agent holds, in its share or not. */
  int held() {
    return held.get();
  }

  void on(NodeAdopted message) {
    add(message.node());
  }

  void on(NodeReleased message) {
    set(message.node(), null);
  }

  void on(NodesAssigned message) {
    owners = message.owners();
    int mine = 0;
    int well = 0;
    for (Map.Entry<String, Known> node : nodes.entrySet()) {
      if (isOwn(node.getKey())) {
        mine++;
        well += one(node.getValue().ready);
      }
    }
    own.set(mine);
    ready.set(well);
  }

  void on(LeaseAcquired message) {
    change(message.node(), known -> new Known(known.ready, true));
  }

  void on(LeaseLost message) {
    change(message.node(), known -> new Known(known.ready, false));
  }

  void on(NodeStatusChanged message) {
    change(message.node(), known -> new Known(message.ready(), known.held));
  }

  private void add(String node) {
    if (!nodes.containsKey(node)) {
      set(node, new Known(false, false));
    }
  }

  private void change(String node, UnaryOperator<Known> change) {
    Known known = nodes.get(node);
    if (known != null) {
      set(node, change.apply(known));
    }
  }

  private void set(String node, @Nullable Known now) {
    Known before = now == null ? nodes.remove(node) : nodes.put(node, now);
    held.addAndGet(one(now != null && now.held) - one(before != null && before.held));
    if (isOwn(node)) {
      own.addAndGet(one(now != null) - one(before != null));
      ready.addAndGet(one(now != null && now.ready) - one(before != null && before.ready));
    }
  }

  private static int one(boolean counts) {
    return counts ? 1 : 0;
  }

  private boolean isOwn(String node) {
    return owners == null || identity.equals(owners.get(node));
  }
}
