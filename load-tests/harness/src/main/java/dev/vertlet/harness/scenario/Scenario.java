package dev.vertlet.harness.scenario;

import java.util.List;

/**
 * One load test from the first node to the last pod.
 *
 * @param nodes virtual nodes, from 1
 * @param namespaces over which pods are spread evenly, from 1
 * @param placement who decides where pods run
 * @param containers of each pod, from 1
 * @param labels of each pod, beside those by which the load test knows it; the last differs from
 *     pod to pod
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
    int labels,
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

  /** One whose pods have no labels of their own. */
  public Scenario(
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
    this(
        name,
        description,
        nodes,
        namespaces,
        placement,
        containers,
        0,
        graceSeconds,
        seed,
        phases,
        faults,
        thresholds);
  }

  /** The same with somebody else to decide where pods run. */
  public Scenario withPlacement(Placement other) {
    return new Scenario(
        name,
        description,
        nodes,
        namespaces,
        other,
        containers,
        labels,
        graceSeconds,
        seed,
        phases,
        faults,
        thresholds);
  }

  /** Whether it creates Deployments: not every API server has controllers that make their pods. */
  public boolean deploys() {
    return phases.stream().anyMatch(Phase.Deploy.class::isInstance);
  }

  /** Whether it configures nodes while they run: vertlet alone takes that. */
  public boolean rollsOut() {
    return phases.stream().anyMatch(Phase.Rollout.class::isInstance);
  }

  /** The most pods there can be at one time. */
  public int mostPods() {
    int standing = 0;
    int most = 0;
    int replicas = 0;
    for (Phase phase : phases) {
      if (phase instanceof Phase.Create create) {
        most = Math.max(most, standing + create.pods());
        standing += create.lifetime().isPresent() ? 0 : create.pods();
      } else if (phase instanceof Phase.Deploy deploy) {
        replicas += deploy.deployments() * deploy.replicas();
      } else if (phase instanceof Phase.Delete delete) {
        standing = Math.max(0, standing - delete.pods());
      }
      most = Math.max(most, standing);
    }
    return most + replicas;
  }
}
