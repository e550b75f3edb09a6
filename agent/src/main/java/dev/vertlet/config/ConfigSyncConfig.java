package dev.vertlet.config;

import dev.vertlet.problem.Problems;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * Configuration from the cluster.
 *
 * @param enabled whether nodes run by what their objects declare
 * @param dynamicConfigDir for what survives a restart, absolute
 * @param allowedNamespaces whose ConfigMaps count; empty for the agent's own namespace
 * @param trialDuration how long a config must run before it counts as good, 1 s to 24 h
 * @param checkpointHistory how many checkpoints are kept that nothing needs, 0 to 1000
 */
public record ConfigSyncConfig(
    boolean enabled,
    Path dynamicConfigDir,
    List<String> allowedNamespaces,
    Duration trialDuration,
    int checkpointHistory) {
  public ConfigSyncConfig {
    new Problems("/configSync")
        .that(
            dynamicConfigDir.isAbsolute(),
            "/dynamicConfigDir",
            dynamicConfigDir.toString(),
            "must be an absolute path")
        .range("/trialDuration", trialDuration, Duration.ofSeconds(1), Duration.ofHours(24))
        .range("/checkpointHistory", checkpointHistory, 0, 1000)
        .done(ConfigException::new);
    allowedNamespaces = List.copyOf(allowedNamespaces);
  }
}
