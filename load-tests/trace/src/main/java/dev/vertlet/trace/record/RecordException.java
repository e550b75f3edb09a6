package dev.vertlet.trace.record;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** A cluster cannot be recorded; the message is one line for people. */
public final class RecordException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1;

  RecordException(String message) {
    this(message, null);
  }

  RecordException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
