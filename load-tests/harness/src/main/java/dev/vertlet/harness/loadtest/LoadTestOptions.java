package dev.vertlet.harness.loadtest;

import dev.vertlet.harness.load.Pace;
import dev.vertlet.harness.subject.SubjectSpec;
import java.nio.file.Path;
import java.util.Optional;

/**
 * What a load test does.
 *
 * @param agentKubeconfig what the subject connects with; empty: what the load test does
 */
public record LoadTestOptions(
    Target target,
    Optional<Path> agentKubeconfig,
    int nodes,
    int pods,
    SubjectSpec subject,
    Pace pace) {}
