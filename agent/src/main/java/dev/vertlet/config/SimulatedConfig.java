package dev.vertlet.config;

import dev.vertlet.simulated.SimulatedRule;
import java.util.List;

/**
 * How containers that exist only in memory behave.
 *
 * @param seed of every random choice
 * @param rules the first that fits a container counts
 */
public record SimulatedConfig(long seed, List<SimulatedRule> rules) {
  public SimulatedConfig {
    rules = List.copyOf(rules);
  }
}
