package dev.vertlet.provider;

import dev.vertlet.provider.node.NodeSpec;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Arguments for creating the provider of one shard.
 *
 * @param random used by this shard alone, on its context only
 * @param metrics registered meters are served at {@code /metrics}; begin their names with the
 *     provider's name
 * @param settings the provider's own section of the configuration, empty if there is none
 * @param nodes of this shard that name the provider; may be none. Adopted nodes come later: the
 *     provider's {@code configure} is called for each
 * @param podsDir absolute path of the directory for files of pods, of all providers of the agent;
 *     may not exist yet. Each pod has a folder in it with its UID as name, which vertlet makes for
 *     {@link dev.vertlet.provider.content.PodInput#FILES} and removes when the pod is gone
 */
public record ProviderSetup(
    Vertx vertx,
    Clock clock,
    RandomGenerator random,
    MeterRegistry metrics,
    ProviderSettings settings,
    List<NodeSpec> nodes,
    Path podsDir) {
  public ProviderSetup {
    nodes = List.copyOf(nodes);
  }

  /**
   * Returns the node of this name.
   *
   * @throws IllegalArgumentException when this shard does not have it
   */
  public NodeSpec node(String name) {
    for (NodeSpec node : nodes) {
      if (node.name().equals(name)) {
        return node;
      }
    }
    throw new IllegalArgumentException("node " + name + " is not served by this shard");
  }
}
