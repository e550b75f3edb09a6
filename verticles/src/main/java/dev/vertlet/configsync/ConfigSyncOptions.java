package dev.vertlet.configsync;

import java.time.Duration;

/**
 * Settings of dynamic configuration.
 *
 * @param trial {@code configSync.trialDuration}: how long a config must run before it counts as
 *     good; above zero
 * @param exitOnChange {@code agent.configChangeMode: exit}: a change ends the process, and the next
 *     process runs it
 */
public record ConfigSyncOptions(Duration trial, boolean exitOnChange) {
  /** The values of kubelets. */
  public static final ConfigSyncOptions DEFAULTS =
      new ConfigSyncOptions(Duration.ofMinutes(10), false);

  public ConfigSyncOptions {
    if (trial.isNegative() || trial.isZero()) {
      throw new IllegalArgumentException("configSync.trialDuration must be above 0, got " + trial);
    }
  }
}
