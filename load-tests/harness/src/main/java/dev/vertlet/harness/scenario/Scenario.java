package dev.vertlet.harness.scenario;

import dev.vertlet.harness.result.servicelevel.ServiceLevel;
import java.util.List;

/**
 * One load test.
 *
 * @param nodes virtual nodes, from 1
 * @param namespaces number of namespaces over which pods are spread evenly, from 1
 * @param placement component that assigns pods to nodes
 * @param containers containers of each pod, from 1
 * @param labels labels of each pod in addition to the load test's own; the last differs from pod to
 *     pod
 * @param graceSeconds {@code spec.terminationGracePeriodSeconds} of each pod
 * @param seed seed of all randomness
 * @param phases phases in the order of their execution
 * @param faults faults by their time after the start of the first phase
 * @param thresholds thresholds that decide whether the run passes
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

  /** Creates a scenario whose pods have no additional labels. */
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

  /** Returns the scenario with another placement. */
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

  /** Whether it creates Deployments, which need an API server with controllers. */
  public boolean deploys() {
    return phases.stream().anyMatch(Phase.Deploy.class::isInstance);
  }

  /** Whether thresholds judge the start-up of pods. */
  public boolean judgesPodStartup() {
    return thresholds.stream()
        .anyMatch(threshold -> threshold.figure().equals(ServiceLevel.POD_STARTUP.figure()));
  }

  /** Whether thresholds judge service levels, which only a real API server has. */
  public boolean judgesServiceLevels() {
    return thresholds.stream()
        .anyMatch(threshold -> threshold.figure().startsWith(ServiceLevel.FIGURES));
  }

  /** Whether it configures running nodes, which only vertlet supports. */
  public boolean rollsOut() {
    return phases.stream().anyMatch(Phase.Rollout.class::isInstance);
  }

  /** Highest number of pods at one time. */
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
