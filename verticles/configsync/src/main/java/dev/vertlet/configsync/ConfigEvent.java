package dev.vertlet.configsync;

import dev.vertlet.configsync.source.DeclaredSource;
import dev.vertlet.configsync.source.ResolvedSource;
import dev.vertlet.configsync.store.StoredMeta;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Input of {@link ConfigSync}. */
sealed interface ConfigEvent {
  /** First event: the state read from disk. */
  record Started(StoredMeta stored) implements ConfigEvent {}

  /**
   * The current Node.
   *
   * @param added whether the Node is new to this agent, or was created again
   * @param good the last known good config in the Node's status; null for the local config, and for
   *     a Node that is not new
   */
  record NodeSeen(DeclaredSource declared, boolean added, @Nullable ResolvedSource good)
      implements ConfigEvent {
    NodeSeen(DeclaredSource declared, boolean added) {
      this(declared, added, null);
    }
  }

  /** The Node is gone; has no effect. */
  record NodeDeleted() implements ConfigEvent {}

  /** A watched ConfigMap was added, changed or deleted. */
  record ConfigMapTouched() implements ConfigEvent {}

  /** The delay of a {@link ConfigAction.ScheduleRetry} is over. */
  record RetryDue() implements ConfigEvent {}

  /** Every 10 s. */
  record Tick(Instant now) implements ConfigEvent {}

  /** Result of the one operation in progress. */
  sealed interface Answer extends ConfigEvent {}

  /**
   * A ConfigMap was downloaded.
   *
   * @param uid as the server returned it, unchecked
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
   * A checkpoint was saved.
   *
   * @param existed whether the checkpoint existed already, and nothing was written
   */
  record Saved(boolean existed) implements Answer {}

  /**
   * A record is durable.
   *
   * @param modified its time on disk, at which a trial begins; null for records without a trial
   */
  record Written(@Nullable Instant modified) implements Answer {}

  /** A checkpoint or record could not be made durable. */
  record WriteFailed(String cause) implements Answer {}

  /** The config was read, combined with the flags, and is valid. */
  record Loaded() implements Answer {}

  /** The config runs. */
  record Applied() implements Answer {}

  /**
   * The config was not loaded, or not applied.
   *
   * @param error {@link ConfigError#LOAD}; {@link ConfigError#VALIDATE}, also when a component
   *     refused the config before anything was changed; or {@link ConfigError#INTERNAL}
   */
  record Rejected(ConfigError error, String cause) implements Answer {}
}
