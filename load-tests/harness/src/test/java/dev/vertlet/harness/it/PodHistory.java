package dev.vertlet.harness.it;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * What happened to one pod, and what of it must not have happened. Violations are sentences that
 * name the pod; an empty list is what a test wants.
 *
 * @param observations every distinct version seen, in order
 * @param gone whether the API object is gone
 */
public record PodHistory(List<PodObservation> observations, boolean gone) {

  public PodHistory {
    observations = List.copyOf(observations);
  }

  /** The newest version seen. */
  public PodObservation last() {
    return observations.get(observations.size() - 1);
  }

  /**
   * Containers that were started more than once: another id, another start time or a counted
   * restart.
   */
  List<String> startedTwice() {
    List<String> violations = new ArrayList<>();
    Set<String> names = new TreeSet<>();
    observations.forEach(seen -> names.addAll(seen.containers().keySet()));
    for (String name : names) {
      Set<String> ids = values(name, PodObservation.Container::id);
      Set<String> starts = values(name, PodObservation.Container::startedAt);
      Set<String> restarts = values(name, container -> Integer.toString(container.restarts()));
      if (ids.size() > 1 || starts.size() > 1 || !Set.of("0").containsAll(restarts)) {
        violations.add(
            "%s, container %s: ids %s, started at %s, restart counts %s"
                .formatted(last().name(), name, ids, starts, restarts));
      }
    }
    return violations;
  }

  private Set<String> values(
      String container, Function<PodObservation.Container, String> property) {
    Set<String> values = new TreeSet<>();
    for (PodObservation seen : observations) {
      PodObservation.Container found = seen.containers().get(container);
      if (found != null && !property.apply(found).isEmpty()) {
        values.add(property.apply(found));
      }
    }
    return values;
  }

  /**
   * Times at which Ready was lost by a pod that had neither ended nor was to be deleted. A loss
   * between two versions seen shows in the condition's transition time.
   */
  List<String> readyFlaps() {
    List<String> violations = new ArrayList<>();
    for (int i = 1; i < observations.size(); i++) {
      PodObservation before = observations.get(i - 1);
      PodObservation after = observations.get(i);
      if (!before.ready() || after.ranToItsEnd() || after.deletionRequested()) {
        continue;
      }
      if (!after.ready()) {
        violations.add("%s: lost Ready at %s".formatted(after.name(), after.readySince()));
      } else if (!after.readySince().equals(before.readySince())) {
        violations.add(
            "%s: Ready since %s, then since %s"
                .formatted(after.name(), before.readySince(), after.readySince()));
      }
    }
    return violations;
  }

  /** Phases that went back: out of Succeeded or Failed, or from Running to Pending. */
  List<String> phaseReversals() {
    List<String> violations = new ArrayList<>();
    for (int i = 1; i < observations.size(); i++) {
      String before = observations.get(i - 1).phase();
      String after = observations.get(i).phase();
      boolean reopened = observations.get(i - 1).ended() && !before.equals(after);
      if (reopened || (before.equals("Running") && after.equals("Pending"))) {
        violations.add("%s: from %s to %s".formatted(last().name(), before, after));
      }
    }
    return violations;
  }
}
