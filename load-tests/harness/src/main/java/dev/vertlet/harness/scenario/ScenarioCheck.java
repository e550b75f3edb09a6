package dev.vertlet.harness.scenario;

import dev.vertlet.problem.Problems;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Checks that the parts of a scenario fit together. */
final class ScenarioCheck {
  private static final String PHASES = "phases";

  private final Scenario scenario;
  private final Problems problems;

  ScenarioCheck(Scenario scenario, Problems problems) {
    this.scenario = scenario;
    this.problems = problems;
  }

  void check() {
    Set<String> names = names();
    placement();
    somethingToWorkOn();
    thresholds(names);
  }

  private Set<String> names() {
    Set<String> names = new HashSet<>();
    for (int i = 0; i < scenario.phases().size(); i++) {
      String name = scenario.phases().get(i).name();
      if (!names.add(name)) {
        problems.refuse("/phases/" + i + "/name", name, "must be unique in the scenario");
      }
    }
    return names;
  }

  private void placement() {
    if (scenario.deploys() && scenario.placement() != Placement.SCHEDULED) {
      problems.refuse(
          "/placement",
          "bound",
          "must be \"scheduled\" where Deployments are made: nobody else knows their pods' names");
    }
  }

  /** Requires objects for updates and deletes: without any, every threshold would be met. */
  private void somethingToWorkOn() {
    long pods = 0;
    long deployments = 0;
    for (int i = 0; i < scenario.phases().size(); i++) {
      Phase phase = scenario.phases().get(i);
      String place = "/phases/" + i + "/";
      if (phase instanceof Phase.Create create) {
        pods += create.lifetime().isPresent() ? 0 : create.pods();
      } else if (phase instanceof Phase.Deploy deploy) {
        deployments += deploy.deployments();
      } else if (phase instanceof Phase.Undeploy undeploy) {
        require(deployments, place + "undeploy", "Deployments");
        deployments = Math.max(0, deployments - undeploy.deployments());
      } else if (phase instanceof Phase.Update) {
        require(pods + deployments, place + "update", "pods");
      } else if (phase instanceof Phase.Delete delete) {
        require(pods, place + "delete", "pods of its own");
        pods = Math.max(0, pods - delete.pods());
      }
    }
  }

  private void require(long there, String pointer, String what) {
    if (there == 0) {
      problems.about(pointer, "has nothing to do: the phases before it leave no " + what);
    }
  }

  private void thresholds(Set<String> names) {
    for (int i = 0; i < scenario.thresholds().size(); i++) {
      String figure = scenario.thresholds().get(i).figure();
      List<String> path = List.of(figure.split("\\."));
      if (path.get(0).equals(PHASES) && (path.size() < 2 || !names.contains(path.get(1)))) {
        problems.refuse(
            scenario.thresholds().get(i).place(),
            figure,
            "must name a phase after \"phases.\": "
                + String.join(", ", names.stream().sorted().toList()));
      }
    }
  }
}
