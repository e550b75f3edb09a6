package dev.vertlet.bus;

/**
 * Somebody wants to know which pods a shard's nodes have; answered with {@link PodsKnown}.
 *
 * @param node whose pods; empty for all nodes of the shard
 * @param namespace of the pods; empty for all
 * @param name of the pods; empty for all
 */
public record PodsAsked(String node, String namespace, String name) implements BusMessage {
  /** Whether this pod is asked for. */
  public boolean wants(String podNamespace, String podName) {
    return (namespace.isEmpty() || namespace.equals(podNamespace))
        && (name.isEmpty() || name.equals(podName));
  }
}
