package dev.vertlet.bus;

import java.util.Map;

/**
 * How nodes are divided among event loops. A node's pods are all handled by one shard, and a shard
 * has nodes of one provider only.
 *
 * @param perProvider shards of each provider, at least 1
 * @param providers index of a node's provider by the node's name
 * @param others index of the provider of nodes that are not there
 */
public record Shards(int perProvider, Map<String, Integer> providers, int others) {
  public Shards {
    if (perProvider < 1) {
      throw new IllegalArgumentException("shards.count must be at least 1, got " + perProvider);
    }
    providers = Map.copyOf(providers);
  }

  /** Where a node that is not there has the first provider. */
  public Shards(int perProvider, Map<String, Integer> providers) {
    this(perProvider, providers, 0);
  }

  /** With one provider for all nodes. */
  public Shards(int count) {
    this(count, Map.of());
  }

  /** How many shards there may be; not every one needs to have a node. */
  public int count() {
    int last = others;
    for (int provider : providers.values()) {
      last = Math.max(last, provider);
    }
    return (last + 1) * perProvider;
  }

  /** The shard of this node, from 0; stable for a name and its provider. */
  public int of(String node) {
    int provider = providers.getOrDefault(node, others);
    return provider * perProvider + Math.floorMod(node.hashCode(), perProvider);
  }
}
