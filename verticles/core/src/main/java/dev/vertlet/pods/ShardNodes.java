package dev.vertlet.pods;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The nodes of one shard with their pods. Pure except for its own fields. */
final class ShardNodes {
  private final Map<String, NodePods> nodes = new HashMap<>();

  /**
   * Nodes that no longer belong to the shard, while provider calls for their pods are in progress.
   */
  private final Map<String, NodePods> leaving = new HashMap<>();

  /**
   * Creates the nodes, without pods.
   *
   * @param sourced those of them that have static pods, too
   */
  ShardNodes(Collection<String> names, Collection<String> sourced) {
    names.forEach(name -> nodes.put(name, new NodePods(sourced.contains(name))));
  }

  /** Returns null for a node that does not belong to the shard. */
  @Nullable NodePods get(String name) {
    return nodes.get(name);
  }

  /** Whether the agent may act on the node's pods. */
  boolean active(String name) {
    NodePods node = nodes.get(name);
    return node != null && node.active();
  }

  /** This agent serves the node; returns whether the node has become active. */
  boolean acquired(String name, int term) {
    NodePods node = nodes.get(name);
    return node != null && node.term().acquired(term);
  }

  /** The list of the node's pods is complete; returns whether the node has become active. */
  boolean synced(String name, int term) {
    NodePods node = nodes.get(name);
    return node != null && node.term().synced(term);
  }

  /** This agent no longer serves the node; returns whether it did. */
  boolean lost(String name) {
    NodePods node = nodes.get(name);
    return node != null && node.term().lost();
  }

  /** Order in which the provider gets the pods of a node of the shard. */
  List<PodMailbox> adoptionOrder(String name) {
    NodePods node = nodes.get(name);
    return node == null ? List.of() : node.adoptionOrder();
  }

  /** The mailboxes of a node, in no order; none if it is not a node of the shard. */
  List<PodMailbox> mailboxes(String name) {
    NodePods node = nodes.get(name);
    return node == null ? List.of() : node.all();
  }

  /** The mailboxes of all nodes, in no order. */
  List<PodMailbox> mailboxes() {
    return nodes.values().stream().flatMap(node -> node.all().stream()).toList();
  }

  /** Adds a node, with those of its pods that are not forgotten since it left. */
  void add(String name) {
    NodePods node = new NodePods(false);
    NodePods before = leaving.remove(name);
    if (before != null) {
      before.all().forEach(node::add);
    }
    nodes.put(name, node);
  }

  /** Removes a node; returns its pods, each of which is to be forgotten. */
  List<PodMailbox> remove(String name) {
    NodePods node = nodes.remove(name);
    if (node == null || node.all().isEmpty()) {
      return List.of();
    }
    leaving.put(name, node);
    return node.all();
  }

  /** No node is active any more. */
  void loseAll() {
    nodes.keySet().forEach(this::lost);
  }

  /** Moves a pod from the node of this name to the node that it names by now. */
  void move(PodMailbox mailbox, String from) {
    NodePods old = nodes.get(from);
    NodePods now = nodes.get(mailbox.pod().nodeName());
    if (old != null && now != null && old != now) {
      old.remove(mailbox);
      now.add(mailbox);
    }
  }

  /** Forgets a pod. */
  void forget(PodMailbox mailbox) {
    String name = mailbox.pod().nodeName();
    NodePods node = nodes.get(name);
    if (node != null) {
      node.remove(mailbox);
    }
    NodePods left = leaving.get(name);
    if (left != null) {
      left.remove(mailbox);
      if (left.all().isEmpty()) {
        leaving.remove(name);
      }
    }
  }
}
