package dev.vertlet.sandbox.pool;

/**
 * Why a sandbox ends.
 *
 * @param reason value of the annotation {@code stop-reason}
 * @param failureReason empty without a failure
 * @param failureMessage empty without a message
 * @param exitCode of the failed container; empty without one
 */
record Stop(String reason, String failureReason, String failureMessage, String exitCode) {
  /** A client released the sandbox. */
  static final Stop RELEASED = new Stop("Released", "", "", "");

  /** The claim was cancelled before the sandbox ran. */
  static final Stop CANCELED = new Stop("Canceled", "", "", "");

  static final Stop STARTUP_TIMEOUT =
      new Stop("Released", "StartupTimeout", "it did not start in time", "");

  static final Stop IDLE_TIMEOUT = new Stop("Released", "IdleTimeout", "not used", "");

  /** The pod is deleted, and with it the sandbox. */
  static final Stop POD_GONE = new Stop("Failed", "PodGone", "its pod failed or was deleted", "");
}
