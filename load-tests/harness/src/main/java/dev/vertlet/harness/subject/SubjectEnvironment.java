package dev.vertlet.harness.subject;

import dev.vertlet.harness.load.LoadPlan;
import dev.vertlet.harness.run.RunDir;
import java.nio.file.Path;
import java.util.Map;

/**
 * Environment of a subject.
 *
 * @param plan plan whose nodes it serves
 * @param kubeconfig kubeconfig of the subject
 * @param dir directory for its files and log
 * @param environment environment of the load test
 */
public record SubjectEnvironment(
    LoadPlan plan, Path kubeconfig, RunDir dir, Map<String, String> environment) {
  public SubjectEnvironment {
    environment = Map.copyOf(environment);
  }
}
