package dev.vertlet.bus;

/**
 * How nodes are divided among event loops. A node's pods are all handled by one shard.
 *
 * @param count at least 1
 */
public record Shards(int count) {
  public Shards {
    if (count < 1) {
      throw new IllegalArgumentException("shards.count must be at least 1, got " + count);
    }
  }

  /** The shard of this node, 0 to {@code count - 1}; stable for a name. */
  public int of(String node) {
    return Math.floorMod(node.hashCode(), count);
  }
}
