package dev.vertlet.configsync;

import dev.vertlet.configsync.source.ConfigMapRef;
import dev.vertlet.configsync.source.ConfigMapSource;
import dev.vertlet.configsync.source.ResolvedSource;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Output of {@link ConfigSync#on}, to be performed in the order of its list. */
sealed interface ConfigAction {
  /** Action that ends with a {@link ConfigEvent.Answer}: at most one is in progress. */
  sealed interface Operation extends ConfigAction {}

  /** Answered by Downloaded or DownloadFailed. */
  record Download(ConfigMapSource source) implements Operation {}

  /** Answered by Saved or WriteFailed. */
  record SaveCheckpoint(ResolvedSource source, Map<String, String> data) implements Operation {}

  /** Replaces a checkpoint that holds something else. Answered by Saved or WriteFailed. */
  record RepairCheckpoint(ResolvedSource source, Map<String, String> data) implements Operation {}

  /** Answered by Written, with the time, or WriteFailed. */
  record WriteAssigned(@Nullable ResolvedSource source) implements Operation {}

  /** Answered by Written or WriteFailed. */
  record WriteLastKnownGood(@Nullable ResolvedSource source) implements Operation {}

  /**
   * Reads the checkpoint, applies the flags on top and validates the result. Answered by Loaded or
   * Rejected.
   */
  record Load(ResolvedSource source) implements Operation {}

  /**
   * Runs the config that was loaded last, or the local config. Answered by Applied or Rejected.
   *
   * @param source null for the local config
   */
  record Apply(@Nullable ResolvedSource source) implements Operation {}

  /**
   * Writes an event on the Node about a change of its config; at most once for each change.
   *
   * @param source null for the local config
   */
  record SendEvent(@Nullable ResolvedSource source) implements ConfigAction {}

  /** Writes the status until the API server has it, or a newer one replaces it. */
  record WriteStatus(NodeConfigStatus status, ConfigOk condition) implements ConfigAction {}

  /** Schedules a RetryDue after this time; replaces an earlier schedule. */
  record ScheduleRetry(Duration delay) implements ConfigAction {}

  /** Watches these ConfigMaps and no others. */
  record Watch(Set<ConfigMapRef> configMaps) implements ConfigAction {}

  /** A config runs: the node may be registered. Once, or again after {@link GiveUp}. */
  record Serve() implements ConfigAction {}

  /**
   * No config is known to be good. An unregistered node is withheld, or its process ends if it has
   * no other node; a running agent ends with 1. If the process continues, a newer source can
   * recover the node.
   */
  record GiveUp(String cause) implements ConfigAction {}

  /** The assigned config takes effect in the next process: ends this one with 0. */
  record Exit() implements ConfigAction {}

  /** Logs that an earlier last known good config is lost; the local config replaces it. */
  record MissSeed(ResolvedSource good, String cause) implements ConfigAction {}

  /** Removes unneeded checkpoints. */
  record CollectGarbage() implements ConfigAction {}

  /** Logs the error in the status with its cause. */
  record Complain(ConfigError error, String cause) implements ConfigAction {}
}
