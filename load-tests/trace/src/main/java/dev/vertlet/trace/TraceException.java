package dev.vertlet.trace;

import java.io.Serial;

/** A trace cannot be read or written; the message names the file, the line and the field. */
public final class TraceException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1;

  public TraceException(String message) {
    super(message);
  }

  public TraceException(String message, Throwable cause) {
    super(message, cause);
  }
}
