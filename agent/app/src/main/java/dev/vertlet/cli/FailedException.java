package dev.vertlet.cli;

import org.jspecify.annotations.Nullable;

/** Failure of a command with a one-line reason. */
public final class FailedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public FailedException(String message) {
    super(message);
  }

  public FailedException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
