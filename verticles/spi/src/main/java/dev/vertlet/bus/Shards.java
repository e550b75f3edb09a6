package dev.vertlet.bus;

import java.util.Map;

/**
 * Division of nodes among event loops. One shard handles all pods of a node, and a shard has nodes
 * of one provider only.
 *
 * @param perProvider shards of each provider, at least 1
 * @param providers index of a node's provider by the node's name
 * @param others index of the provider of unlisted nodes
 */
public record Shards(int perProvider, Map<String, Integer> providers, int others) {
  public Shards {
    if (perProvider < 1) {
      throw new IllegalArgumentException("shards.count must be at least 1, got " + perProvider);
    }
    providers = Map.copyOf(providers);
  }

  /** Unlisted nodes have the first provider. */
  public Shards(int perProvider, Map<String, Integer> providers) {
    this(perProvider, providers, 0);
  }

  /** All nodes have one provider. */
  public Shards(int count) {
    this(count, Map.of());
  }

  /** Number of possible shards; some may have no node. */
  public int count() {
    int last = others;
    for (int provider : providers.values()) {
      last = Math.max(last, provider);
    }
    return (last + 1) * perProvider;
  }

  /** Returns the shard of this node, from 0; stable for a name and its provider. */
  public int of(String node) {
    int provider = providers.getOrDefault(node, others);
    return provider * perProvider + Math.floorMod(node.hashCode(), perProvider);
  }
}
