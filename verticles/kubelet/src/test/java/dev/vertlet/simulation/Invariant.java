package dev.vertlet.simulation;

/** What nothing that happens to a cluster may break. */
enum Invariant {
  /** A pod that is Succeeded or Failed stays so, and nothing of it is started again. */
  TERMINAL_PHASE_IS_STICKY,
  /** A container's restartCount never goes down. */
  RESTART_COUNT_IS_MONOTONIC,
  /** At most one request about a pod's status or removal is unanswered. */
  ONE_WRITE_IN_FLIGHT,
  /** What the API server holds no longer has ended in the runtime; no object goes before. */
  DELETED_POD_IS_STOPPED,
  /** Nobody keeps anything of pods that are gone. */
  NOTHING_LEAKS,
  /** No container has two instances, and no instance number is used twice. */
  NO_DOUBLE_START,
  /** Also a deletion that no watch brought is found. */
  NO_DELETION_IS_LOST,
  /** A status is never replaced by an older one, and the newest one arrives. */
  NEWEST_STATUS_WINS,
  /** An end that was asked for comes. */
  EVERY_DELETION_ENDS
}
