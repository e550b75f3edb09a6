package dev.vertlet.simulated;

import java.util.List;

/**
 * Which containers live how. Of a list of rules the first that matches a container counts for it,
 * alone.
 *
 * @param name for people; also decides which pods a {@code share} takes
 * @param containers names; empty for all. A rule for all containers sets how and when regular
 *     containers end only, so that init containers and sidecars do not end with them
 * @param share of the pods that the rule takes, above 0 up to 1; drawn once per pod
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
