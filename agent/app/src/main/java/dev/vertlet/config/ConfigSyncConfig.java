package dev.vertlet.config;

import dev.vertlet.config.document.ConfigException;
import dev.vertlet.problem.Problems;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * Section {@code configSync}: dynamic configuration of nodes from ConfigMaps.
 *
 * @param enabled whether nodes use the config that their objects name
 * @param dynamicConfigDir absolute path of the directory for checkpoints and assignments
 * @param allowedNamespaces namespaces whose ConfigMaps may be used; empty for the agent's own
 *     namespace
 * @param trialDuration time that a config must run before it becomes last known good, 1 s to 24 h
 * @param checkpointHistory number of unused checkpoints that are kept, 0 to 1000
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
        .done(ConfigException::new);
    allowedNamespaces = List.copyOf(allowedNamespaces);
  }
}
