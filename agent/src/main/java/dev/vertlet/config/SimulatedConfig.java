package dev.vertlet.config;

import dev.vertlet.simulated.NodeRule;
import dev.vertlet.simulated.SimulatedRule;
import java.util.List;

/**
 * How containers that exist only in memory behave, and their nodes.
 *
 * @param seed of every random choice
 * @param rules the first that fits a container counts
 * @param nodes all that fit a node count
 * @param imageSize bytes that each image takes of its node's disk
 */
public record SimulatedConfig(
    long seed, List<SimulatedRule> rules, List<NodeRule> nodes, long imageSize) {
  public SimulatedConfig {
    rules = List.copyOf(rules);
    nodes = List.copyOf(nodes);
  }

  /** The same, with other rules for containers. */
  public SimulatedConfig withRules(List<SimulatedRule> other) {
    return new SimulatedConfig(seed, other, nodes, imageSize);
  }
}
