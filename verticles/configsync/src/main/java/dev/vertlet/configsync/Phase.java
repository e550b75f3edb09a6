package dev.vertlet.configsync;

import dev.vertlet.configsync.source.DeclaredSource.Wanted;
import dev.vertlet.configsync.source.ResolvedSource;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The operation in progress, and its subject. */
sealed interface Phase {
  /** Before the disk was read. */
  record New() implements Phase {}

  record Idle() implements Phase {}

  record Downloading(Wanted wanted) implements Phase {}

  record Saving(Fetched fetched) implements Phase {}

  /**
   * Recording the assigned config.
   *
   * @param existed whether the checkpoint existed before
   */
  record Assigning(Fetched fetched, boolean existed) implements Phase {}

  /**
   * Loading the assigned config.
   *
   * @param repairable content to repair the checkpoint with, if it turns out to be damaged
   */
  record Loading(ResolvedSource assigned, @Nullable Fetched repairable) implements Phase {}

  /** Applying the assigned config; null is the local config. */
  record Applying(@Nullable ResolvedSource assigned) implements Phase {}

  record Repairing(Fetched fetched) implements Phase {}

  /**
   * Downloading again a config that is both assigned and last known good, and cannot be loaded.
   *
   * @param cause why no config runs if the download does not help
   */
  record Refetching(ResolvedSource good, String cause) implements Phase {}

  record LoadingGood(ResolvedSource good) implements Phase {}

  record ApplyingGood(@Nullable ResolvedSource good) implements Phase {}

  /** First of the two writes of a reset. */
  record ClearingGood() implements Phase {}

  record ClearingAssigned() implements Phase {}

  record Graduating() implements Phase {}

  /** Downloading the last known good config that the node had under another agent. */
  record FetchingSeed(ResolvedSource good) implements Phase {}

  record SavingSeed(ResolvedSource good) implements Phase {}

  record TrustingSeed(ResolvedSource good) implements Phase {}

  /** The process ends. */
  record Exiting() implements Phase {}

  /**
   * A downloaded config.
   *
   * @param source the version of {@code wanted} that was downloaded
   */
  record Fetched(Wanted wanted, ResolvedSource source, Map<String, String> data) {}
}
