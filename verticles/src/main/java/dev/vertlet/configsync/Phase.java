package dev.vertlet.configsync;

import dev.vertlet.configsync.DeclaredSource.Wanted;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Which operation is under way, and for what. */
sealed interface Phase {
  /** Nothing was read from disk yet. */
  record New() implements Phase {}

  record Idle() implements Phase {}

  record Downloading(Wanted wanted) implements Phase {}

  record Saving(Fetched fetched) implements Phase {}

  /**
   * @param existed whether the checkpoint was there before
   */
  record Assigning(Fetched fetched, boolean existed) implements Phase {}

  /**
   * Loading what is assigned.
   *
   * @param repairable what to repair its checkpoint with, if that is what is wrong
   */
  record Loading(ResolvedSource assigned, @Nullable Fetched repairable) implements Phase {}

  /** Putting what is assigned in force; null is the local config. */
  record Applying(@Nullable ResolvedSource assigned) implements Phase {}

  record Repairing(Fetched fetched) implements Phase {}

  /**
   * Downloading anew what is assigned and last known good, and cannot be loaded.
   *
   * @param cause why nothing runs if that does not help
   */
  record Refetching(ResolvedSource good, String cause) implements Phase {}

  record LoadingGood(ResolvedSource good) implements Phase {}

  record ApplyingGood(@Nullable ResolvedSource good) implements Phase {}

  /** First of the two writes of a reset. */
  record ClearingGood() implements Phase {}

  record ClearingAssigned() implements Phase {}

  record Graduating() implements Phase {}

  /** Downloading what the node had to go back to under another agent. */
  record FetchingSeed(ResolvedSource good) implements Phase {}

  record SavingSeed(ResolvedSource good) implements Phase {}

  record TrustingSeed(ResolvedSource good) implements Phase {}

  /** The process ends. */
  record Exiting() implements Phase {}

  /**
   * @param source what {@code wanted} is now
   */
  record Fetched(Wanted wanted, ResolvedSource source, Map<String, String> data) {}
}
