package dev.vertlet.sandbox.pool;

/**
 * Why a sandbox ends.
 *
 * @param reason value of the annotation {@code stop-reason}
 * @param failureReason empty when nothing failed
 * @param failureMessage empty when there is nothing to say
 * @param exitCode of the container that failed; empty when none did
 */
record Stop(String reason, String failureReason, String failureMessage, String exitCode) {
  /** Somebody asked for it. */
  static final Stop RELEASED = new Stop("Released", "", "", "");

  /** It was given up before it ran. */
  static final Stop CANCELED = new Stop("Canceled", "", "", "");

  static final Stop STARTUP_TIMEOUT =
      new Stop("Released", "StartupTimeout", "it did not start in time", "");

  static final Stop IDLE_TIMEOUT = new Stop("Released", "IdleTimeout", "nobody used it", "");

  /** The pod goes, and the sandbox with it. */
  static final Stop POD_GONE = new Stop("Failed", "PodGone", "its pod failed or was deleted", "");
}
