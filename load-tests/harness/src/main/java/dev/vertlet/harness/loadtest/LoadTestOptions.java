package dev.vertlet.harness.loadtest;

import dev.vertlet.harness.scenario.Phase;
import dev.vertlet.harness.scenario.Scenario;
import dev.vertlet.harness.scenario.ScheduledFault;
import dev.vertlet.harness.scenario.ScheduledFault.RestartApiServer;
import dev.vertlet.harness.scenario.ScheduledFault.RestartSubject;
import dev.vertlet.harness.scenario.Thresholds;
import dev.vertlet.harness.subject.SubjectSpec;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Options of a load test.
 *
 * @param subjectKubeconfig kubeconfig of the subject; empty for the load test's own
 * @param traffic whether to count the subject's traffic with the API server, which needs a proxy
 *     between them
 * @param heap whether to measure the subject's live heap before and after each phase, by full
 *     collections
 * @param arguments command-line arguments, for the result
 */
public record LoadTestOptions(
    Target target,
    Optional<Path> subjectKubeconfig,
    Scenario scenario,
    SubjectSpec subject,
    boolean traffic,
    boolean heap,
    List<String> arguments) {
  public LoadTestOptions {
    arguments = List.copyOf(arguments);
  }

  /** Returns the same options for another subject. */
  LoadTestOptions withSubject(SubjectSpec other) {
    return new LoadTestOptions(
        target, subjectKubeconfig, scenario, other, traffic, heap, arguments);
  }

  /** Whether the subject connects to a proxy instead of the API server. */
  boolean needsProxy() {
    return traffic
        || scenario.faults().stream().map(ScheduledFault::kind).anyMatch(Faults::needsProxy);
  }

  /**
   * @throws IllegalArgumentException when the target or the subject does not support the scenario
   */
  void require() {
    subject.maxNodes().ifPresent(this::requireNodes);
    if (target instanceof Target.Embedded && scenario.judgesServiceLevels()) {
      throw wrong(
          "judges service levels, which needs a real API server: the target must be control-plane"
              + " or a kubeconfig file");
    }
    Thresholds.requireFigures(scenario.thresholds(), ResultShape.result(scenario, traffic, heap));
    if (target instanceof Target.Embedded && needsDeployments()) {
      throw wrong("has Deployments, which the embedded API server has no controllers for");
    }
    if (scenario.rollsOut() && subject instanceof SubjectSpec.Program) {
      throw wrong("rolls out configs of nodes, which %s does not take".formatted(subject.name()));
    }
    for (ScheduledFault fault : scenario.faults()) {
      if (fault.kind() instanceof RestartApiServer
          && !(target instanceof Target.LocalControlPlane)) {
        throw wrong("restarts the API server, which needs the target control-plane");
      }
      if (fault.kind() instanceof RestartSubject restart
          && !restart.orderly()
          && subject instanceof SubjectSpec.InProcess) {
        throw wrong(
            "kills the subject, and %s has no process of its own".formatted(subject.name()));
      }
    }
  }

  private void requireNodes(int most) {
    if (scenario.nodes() > most) {
      throw wrong(
          "has %d nodes, and %s serves %d at most"
              .formatted(scenario.nodes(), subject.name(), most));
    }
  }

  private boolean needsDeployments() {
    return scenario.phases().stream()
        .anyMatch(phase -> phase instanceof Phase.Deploy || phase instanceof Phase.Undeploy);
  }

  private IllegalArgumentException wrong(String what) {
    return new IllegalArgumentException("the scenario %s %s".formatted(scenario.name(), what));
  }
}
