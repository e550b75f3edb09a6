package dev.vertlet.config;

import dev.vertlet.lifecycle.KubeletOptions.Profile;
import dev.vertlet.problem.Problems;
import java.nio.file.Path;
import java.time.Duration;

/**
 * The process itself.
 *
 * @param identity who serves the nodes, as their Leases' annotation says
 * @param dataDir for what survives a restart; one process at a time may use it
 * @param shards event loops among which the nodes are divided, 1 to 64
 * @param shutdownTimeout how long a stop may take, 1 s to 5 min
 * @param drainOnShutdown whether a stop ends the pods
 * @param containerLogsDir for links to the logs that providers keep in files; empty for none
 * @param inplace how containers are replaced in pods that run
 * @param configChangeMode what becomes of the process when a node's config changes
 */
public record AgentConfig(
    String identity,
    Path dataDir,
    Profile profile,
    int shards,
    Duration shutdownTimeout,
    boolean drainOnShutdown,
    String containerLogsDir,
    InPlaceConfig inplace,
    ConfigChangeMode configChangeMode) {
  public AgentConfig {
    new Problems("/agent")
        .that(!identity.isBlank(), "/identity", identity, "must not be blank")
        .range("/shards", shards, 1, 64)
        .range("/shutdownTimeout", shutdownTimeout, Duration.ofSeconds(1), Duration.ofMinutes(5))
        .done(ConfigException::new);
  }

  /** What a change of a node's config does. */
  public enum ConfigChangeMode {
    /** It is put in force; only what the whole process runs by ends the process. */
    HOT,
    /** The process ends with 0 and the next one runs it, as kubelets did. */
    EXIT
  }
}
