package dev.vertlet.config;

import dev.vertlet.simulated.rule.NodeRule;
import dev.vertlet.simulated.rule.SimulatedRule;
import java.util.List;

/**
 * Section {@code simulated}: behaviour of simulated containers and their nodes.
 *
 * @param seed seed of every random choice
 * @param rules rules for containers; the first match applies
 * @param nodes rules for nodes; all matches apply
 * @param imageSize bytes that each image takes on its node's disk
 */
public record SimulatedConfig(
    long seed, List<SimulatedRule> rules, List<NodeRule> nodes, long imageSize) {
  public SimulatedConfig {
    rules = List.copyOf(rules);
    nodes = List.copyOf(nodes);
  }

  /** Returns a copy with other rules for containers. */
  public SimulatedConfig withRules(List<SimulatedRule> other) {
    return new SimulatedConfig(seed, other, nodes, imageSize);
  }
}
