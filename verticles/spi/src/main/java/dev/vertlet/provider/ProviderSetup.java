package dev.vertlet.provider;

import dev.vertlet.provider.node.NodeSpec;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.function.Predicate;
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
 * @param abandoned whether no shard of this agent serves a node of this name, now or later. A
 *     provider that finds pods of such a node, which an agent with another configuration has left,
 *     lists them: vertlet ends them. True in one shard of a provider at most, and never while nodes
 *     may be adopted, whose names are not known before
 */
public record ProviderSetup(
    Vertx vertx,
    Clock clock,
    RandomGenerator random,
    MeterRegistry metrics,
    ProviderSettings settings,
    List<NodeSpec> nodes,
    Path podsDir,
    Predicate<String> abandoned) {
  public ProviderSetup {
    nodes = List.copyOf(nodes);
  }

  /** Creates a setup in which no node is abandoned. */
  public ProviderSetup(
      Vertx vertx,
      Clock clock,
      RandomGenerator random,
      MeterRegistry metrics,
      ProviderSettings settings,
      List<NodeSpec> nodes,
      Path podsDir) {
    this(vertx, clock, random, metrics, settings, nodes, podsDir, node -> false);
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
