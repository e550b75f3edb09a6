package dev.vertlet.cli;

import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

/** Formats failures for users. */
public final class Failures {
  private Failures() {}

  /** Returns the failure itself, without the exceptions of futures around it. */
  public static Throwable unwrap(Throwable failure) {
    Throwable inner = failure;
    while (inner.getCause() != null
        && (inner instanceof CompletionException || inner instanceof ExecutionException)) {
      inner = inner.getCause();
    }
    return inner;
  }

  /** Returns the failure in one line; its class name if it has no message. */
  public static String line(Throwable failure) {
    Throwable inner = unwrap(failure);
    String message = inner.getMessage();
    String text = message == null || message.isBlank() ? inner.getClass().getSimpleName() : message;
    return text.replaceAll("\\s*\\R\\s*", " ").strip();
  }
}
