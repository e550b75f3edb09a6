package dev.vertlet.simulated;

/** Something with a next deadline. Knows its own place in the queue, so that moving it is cheap. */
abstract sealed class Timed permits Hook, Instance, NewSandbox, NodeTrouble, Pull, Resize {
  static final int NOT_QUEUED = -1;

  /** Owned by {@link DeadlineQueue}. */
  int slot = NOT_QUEUED;

  /** Wall clock milliseconds, or {@link DurationRule#NEVER_MILLIS}. */
  abstract long deadline();
}
