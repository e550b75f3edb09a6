package dev.vertlet.harness.cluster;

import org.jspecify.annotations.Nullable;

/**
 * A control plane could not be found, built, started or asked; the message says what to do or ends
 * in the log.
 */
public class ControlPlaneException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  ControlPlaneException(String message) {
    super(message);
  }

  ControlPlaneException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  /** For waits that were interrupted: keeps the thread's interrupt flag. */
  static ControlPlaneException interrupted(String during, InterruptedException cause) {
    Thread.currentThread().interrupt();
    return new ControlPlaneException("interrupted while " + during, cause);
  }

  /** A program could not listen on the port chosen for it, so another attempt may fare better. */
  static final class PortTaken extends ControlPlaneException {
    private static final long serialVersionUID = 1L;

    PortTaken(String message) {
      super(message);
    }
  }
}
