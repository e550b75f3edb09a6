package dev.vertlet.bus;

import dev.vertlet.model.PodRef;

/**
 * Query for the pods of a shard's nodes; answered with {@link PodQueryResult}.
 *
 * @param node whose pods; empty for all nodes of the shard
 * @param namespace of the pods; empty for all
 * @param name of the pods; empty for all
 */
public record PodQuery(String node, String namespace, String name) implements BusMessage {
  /** Whether the query matches a pod of this node. */
  public boolean wants(String podNode, PodRef pod) {
    return (node.isEmpty() || node.equals(podNode))
        && (namespace.isEmpty() || namespace.equals(pod.namespace()))
        && (name.isEmpty() || name.equals(pod.name()));
  }
}
