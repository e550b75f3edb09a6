package dev.vertlet.bus;

import dev.vertlet.model.PodRef;

/**
 * Somebody wants to know which pods a shard's nodes have; answered with {@link PodsKnown}.
 *
 * @param node whose pods; empty for all nodes of the shard
 * @param namespace of the pods; empty for all
 * @param name of the pods; empty for all
 */
public record PodsAsked(String node, String namespace, String name) implements BusMessage {
  /** Whether a pod of this node is asked for. */
  public boolean wants(String podNode, PodRef pod) {
    return (node.isEmpty() || node.equals(podNode))
        && (namespace.isEmpty() || namespace.equals(pod.namespace()))
        && (name.isEmpty() || name.equals(pod.name()));
  }
}
