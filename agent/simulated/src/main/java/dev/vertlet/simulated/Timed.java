package dev.vertlet.simulated;

/** An object with a next deadline. It stores its slot in the queue, so moving it is cheap. */
abstract sealed class Timed permits DelayedCall, Instance, NodeTrouble {
  static final int NOT_QUEUED = -1;

  /** Slot in the queue; only {@link DeadlineQueue} writes it. */
  int slot = NOT_QUEUED;

  /**
   * Returns the deadline in wall clock milliseconds, or {@link
   * dev.vertlet.simulated.rule.DurationRule#NEVER_MILLIS}.
   */
  abstract long deadline();
}
