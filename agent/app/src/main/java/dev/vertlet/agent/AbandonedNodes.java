package dev.vertlet.agent;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.Predicate;

/**
 * Decides which shard ends what is left of nodes that are no longer configured. The configuration
 * is read once, at the start, and agents that divide nodes all have the same one: a node that is
 * not in it is not served before another start. Adopted nodes have any names, so with them no node
 * is abandoned. A provider's shards share a machine, so the first of them is enough.
 */
final class AbandonedNodes {
  private final Set<String> configured;
  private final Set<Integer> responsible = new HashSet<>();

  /**
   * @param configured names of all configured nodes
   * @param adopts whether nodes of other names may be served as well
   * @param providers name of the provider of each shard that this agent makes, by the shard's index
   */
  AbandonedNodes(Set<String> configured, boolean adopts, SortedMap<Integer, String> providers) {
    this.configured = Set.copyOf(configured);
    if (!adopts) {
      Set<String> seen = new HashSet<>();
      for (Map.Entry<Integer, String> shard : providers.entrySet()) {
        if (seen.add(shard.getValue())) {
          responsible.add(shard.getKey());
        }
      }
    }
  }

  /**
   * Returns the nodes of which a shard has to end what is left.
   *
   * @param shard index of the shard
   */
  Predicate<String> of(int shard) {
    return responsible.contains(shard) ? node -> !configured.contains(node) : node -> false;
  }
}
