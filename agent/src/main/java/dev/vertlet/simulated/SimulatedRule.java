package dev.vertlet.simulated;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which containers live how. Of a list of rules the first that matches a container counts for it,
 * alone.
 *
 * @param name for people; also decides which pods a {@code share} takes
 * @param namespace null for every namespace
 * @param matchLabels labels the pod must have
 * @param controllerKind kind of the pod's controlling owner ({@code Job}, {@code ReplicaSet}), null
 *     for any or none
 * @param containers names; empty for all. A rule for all containers sets run time and exit code of
 *     regular containers only, so that init containers and sidecars do not end with them
 * @param share of the pods that the rule takes, above 0 up to 1; drawn once per pod
 */
public record SimulatedRule(
    String name,
    @Nullable String namespace,
    Map<String, String> matchLabels,
    @Nullable String controllerKind,
    List<String> containers,
    double share,
    LifeCycle lifeCycle) {
  public SimulatedRule {
    if (!(share > 0 && share <= 1)) {
      throw new IllegalArgumentException(
          "share of rule \"" + name + "\" must be above 0 and at most 1, got " + share);
    }
    matchLabels = Map.copyOf(matchLabels);
    containers = List.copyOf(containers);
  }
}
