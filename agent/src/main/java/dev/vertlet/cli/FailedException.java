package dev.vertlet.cli;

import org.jspecify.annotations.Nullable;

/** A command failed for a reason that one line tells. */
public final class FailedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public FailedException(String message) {
    super(message);
  }

  public FailedException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
