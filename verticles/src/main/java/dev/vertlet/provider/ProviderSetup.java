package dev.vertlet.provider;

import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Vertx;
import java.time.Clock;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * What the provider of one shard is made of.
 *
 * @param random of this shard alone; used on its context only
 * @param metrics what is registered here is served at {@code /metrics}; begin names with the
 *     provider's name
 * @param settings the provider's own section of the configuration, empty where there is none
 * @param nodes of this shard that name the provider, at least one
 */
public record ProviderSetup(
    Vertx vertx,
    Clock clock,
    RandomGenerator random,
    MeterRegistry metrics,
    ProviderSettings settings,
    List<NodeSpec> nodes) {
  public ProviderSetup {
    nodes = List.copyOf(nodes);
  }

  /**
   * The node of this name.
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
