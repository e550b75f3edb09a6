package dev.vertlet.configsync;

import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What {@link ConfigSync} hears. */
sealed interface ConfigEvent {
  /** The first of all: what was read from disk. */
  record Started(StoredMeta stored) implements ConfigEvent {}

  /**
   * The Node as it is now.
   *
   * @param added whether it is new to this agent, or was made anew
   * @param good what its status says it can go back to; null for the local config, and where it is
   *     not new
   */
  record NodeSeen(DeclaredSource declared, boolean added, @Nullable ResolvedSource good)
      implements ConfigEvent {
    NodeSeen(DeclaredSource declared, boolean added) {
      this(declared, added, null);
    }
  }

  /** The Node is gone, which changes nothing. */
  record NodeDeleted() implements ConfigEvent {}

  /** A watched ConfigMap came, changed or went. */
  record ConfigMapTouched() implements ConfigEvent {}

  /** The time of a {@link ConfigAction.ScheduleRetry} is over. */
  record RetryDue() implements ConfigEvent {}

  /** Every 10 s. */
  record Tick(Instant now) implements ConfigEvent {}

  /** The end of the one operation under way. */
  sealed interface Answer extends ConfigEvent {}

  /**
   * @param uid as the server has it, whatever that is
   * @param data of the ConfigMap
   */
  record Downloaded(String uid, String resourceVersion, Map<String, String> data)
      implements Answer {
    public Downloaded {
      data = Map.copyOf(data);
    }
  }

  record DownloadFailed(String cause) implements Answer {}

  /**
   * @param existed whether the checkpoint was there already, and nothing was written
   */
  record Saved(boolean existed) implements Answer {}

  /**
   * A record is durable.
   *
   * @param modified its time on disk, from which a trial counts; null where that does not matter
   */
  record Written(@Nullable Instant modified) implements Answer {}

  /** A checkpoint or record could not be made durable. */
  record WriteFailed(String cause) implements Answer {}

  /** The config was read, has the flags on top and is valid. */
  record Loaded() implements Answer {}

  /** It runs. */
  record Applied() implements Answer {}

  /**
   * It was not loaded, or not applied.
   *
   * @param error {@link ConfigError#LOAD}; {@link ConfigError#VALIDATE}, also when somebody refused
   *     it before anything was changed; or {@link ConfigError#INTERNAL}
   */
  record Rejected(ConfigError error, String cause) implements Answer {}
}
