package dev.vertlet.harness.cluster;

import org.jspecify.annotations.Nullable;

/**
 * Failure to find, build, start or query a control plane. The message names a remedy or ends with
 * the log's last lines.
 */
public class ControlPlaneException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  ControlPlaneException(String message) {
    super(message);
  }

  ControlPlaneException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  /** Creates the exception for an interrupted wait and restores the thread's interrupt flag. */
  static ControlPlaneException interrupted(String during, InterruptedException cause) {
    Thread.currentThread().interrupt();
    return new ControlPlaneException("interrupted while " + during, cause);
  }

  /** A program could not listen on its chosen port; another attempt may succeed. */
  static final class PortTaken extends ControlPlaneException {
    private static final long serialVersionUID = 1L;

    PortTaken(String message) {
      super(message);
    }
  }
}
