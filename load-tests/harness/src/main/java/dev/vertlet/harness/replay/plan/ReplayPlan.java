package dev.vertlet.harness.replay.plan;

import dev.vertlet.trace.WorkloadRef;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What a replay does.
 *
 * @param first nodes that are there before the clock starts
 * @param initial workloads and pods that exist when the clock starts
 * @param steps in order of their times
 * @param namespaces in which it makes objects
 * @param priorityClasses that its pods name
 * @param millis real length of the replay
 * @param notes what is not as recorded, for the report
 */
public record ReplayPlan(
    List<Step.NodeJoins> first,
    List<Step.Create> initial,
    List<Step> steps,
    Set<String> namespaces,
    Set<String> priorityClasses,
    long millis,
    List<String> notes) {
  public ReplayPlan {
    first = List.copyOf(first);
    initial = List.copyOf(initial);
    steps = List.copyOf(steps);
    namespaces = Set.copyOf(namespaces);
    priorityClasses = Set.copyOf(priorityClasses);
    notes = List.copyOf(notes);
  }

  /** Names of all nodes that it makes. */
  public List<String> nodes() {
    return Stream.concat(
            first.stream(),
            steps.stream().filter(Step.NodeJoins.class::isInstance).map(Step.NodeJoins.class::cast))
        .map(Step.NodeJoins::name)
        .distinct()
        .toList();
  }

  /** What it makes before the clock starts, without nodes, and after. */
  Stream<Step> changes() {
    return Stream.concat(initial.stream(), steps.stream());
  }

  /** All workloads and pods that it creates. */
  public List<WorkloadRef> workloads() {
    return changes()
        .filter(Step.Create.class::isInstance)
        .map(step -> ((Step.Create) step).workload())
        .distinct()
        .toList();
  }
}
