package dev.vertlet.harness.scenario;

import java.util.List;

/**
 * One load test from the first node to the last pod.
 *
 * @param nodes virtual nodes, from 1
 * @param namespaces over which pods are spread evenly, from 1
 * @param placement who decides where pods run
 * @param containers of each pod, from 1
 * @param graceSeconds {@code spec.terminationGracePeriodSeconds} of each pod
 * @param seed of everything that is random
 * @param phases one after the other
 * @param faults by their time after the first phase's beginning
 * @param thresholds that decide whether the run passed
 */
public record Scenario(
    String name,
    String description,
    int nodes,
    int namespaces,
    Placement placement,
    int containers,
    int graceSeconds,
    long seed,
    List<Phase> phases,
    List<ScheduledFault> faults,
    List<Threshold> thresholds) {
  public Scenario {
    phases = List.copyOf(phases);
    faults = List.copyOf(faults);
    thresholds = List.copyOf(thresholds);
  }
}
