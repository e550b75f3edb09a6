package dev.vertlet.config;

import dev.vertlet.config.document.ConfigException;
import dev.vertlet.kubelet.KubeletOptions.Profile;
import dev.vertlet.problem.Problems;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Section {@code agent}: settings of the process.
 *
 * @param identity holder of the nodes' Leases, as their annotation names it
 * @param dataDir directory for state that survives a restart; used by one process at a time
 * @param shards event loops among which the nodes are divided, 1 to 64
 * @param shutdownTimeout time limit of a shutdown, 1 s to 5 min
 * @param drainOnShutdown whether a shutdown ends the pods
 * @param containerLogsDir directory for links to log files that providers keep; empty for no links
 * @param inplace how containers of running pods are replaced
 * @param configChangeMode what a change of a node's config does to the process
 */
public record AgentConfig(
    String identity,
    Path dataDir,
    Profile profile,
    int shards,
    Duration shutdownTimeout,
    boolean drainOnShutdown,
    String containerLogsDir,
    InPlace inplace,
    ConfigChangeMode configChangeMode) {
  public AgentConfig {
    new Problems("/agent")
        .that(!identity.isBlank(), "/identity", identity, "must not be blank")
        .range("/shutdownTimeout", shutdownTimeout, Duration.ofSeconds(1), Duration.ofMinutes(5))
        .done(ConfigException::new);
  }

  /** Returns the absolute path of the directory for files of pods. */
  public Path podsDir() {
    return dataDir.toAbsolutePath().normalize().resolve("pods");
  }

  /**
   * Section {@code agent.inplace}: how containers of running pods are replaced.
   *
   * @param prePull whether the new image is pulled before the old container ends
   */
  public record InPlace(boolean prePull) {}

  /** Reaction to a change of a node's config. */
  public enum ConfigChangeMode {
    /** Applies the change; the process ends only for settings of the whole process. */
    HOT,
    /** Ends the process with exit code 0; the next process runs the new config, as kubelets did. */
    EXIT
  }
}
