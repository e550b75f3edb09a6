package dev.vertlet.configsync;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What shall be done, in the order of the list that {@link ConfigSync#on} answers. */
sealed interface ConfigAction {
  /** Something that ends with an {@link ConfigEvent.Answer}: there is never more than one. */
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

  /** Read, lay the flags on top, validate. Answered by Loaded or Rejected. */
  record Load(ResolvedSource source) implements Operation {}

  /**
   * Run what was loaded last, or the local config. Answered by Applied or Rejected.
   *
   * @param source null for the local config
   */
  record Apply(@Nullable ResolvedSource source) implements Operation {}

  /**
   * An event on the Node that its config has changed; at most once for each change.
   *
   * @param source null for the local config
   */
  record SendEvent(@Nullable ResolvedSource source) implements ConfigAction {}

  /** Until the API server has it, or there is a newer one. */
  record WriteStatus(NodeConfigStatus status, ConfigOk condition) implements ConfigAction {}

  /** RetryDue after this time; in place of one scheduled before. */
  record ScheduleRetry(Duration delay) implements ConfigAction {}

  /** These and no others. */
  record Watch(Set<ConfigMapRef> configMaps) implements ConfigAction {}

  /** A config runs: the node may be registered. Once, or again after {@link GiveUp}. */
  record Serve() implements ConfigAction {}

  /**
   * Nothing is known to be good. A node that is not registered is withheld, or its process ends if
   * it has no other; an agent that runs ends with 1. Where it goes on, a newer source can heal it.
   */
  record GiveUp(String cause) implements ConfigAction {}

  /** What was assigned takes effect with the next process: end this one with 0. */
  record Exit() implements ConfigAction {}

  /** For the log: what the node had to go back to before is lost; the local config is that now. */
  record MissSeed(ResolvedSource good, String cause) implements ConfigAction {}

  /** Remove checkpoints that nobody needs. */
  record CollectGarbage() implements ConfigAction {}

  /** For the log: what the status says, and why. */
  record Complain(ConfigError error, String cause) implements ConfigAction {}
}
