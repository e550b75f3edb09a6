package dev.vertlet.simulated.rule;

import java.util.List;

/**
 * Rule for the life of containers. Only the first matching rule of a list applies to a container.
 *
 * @param name name in messages; it also decides which pods {@code share} selects
 * @param containers container names; empty for all. A rule for all containers sets run time and
 *     exit code for regular containers only, so that init containers and sidecars do not end with
 *     them
 * @param share share of the pods, above 0 up to 1; drawn once per pod
 */
public record SimulatedRule(
    String name, PodSelector selector, List<String> containers, double share, LifeCycle lifeCycle) {
  public SimulatedRule {
    if (!(share > 0 && share <= 1)) {
      throw new IllegalArgumentException(
          "share of rule \"" + name + "\" must be above 0 and at most 1, got " + share);
    }
    containers = List.copyOf(containers);
  }
}
