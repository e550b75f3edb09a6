package dev.vertlet.cli;

import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

/** Tells failures to people. */
public final class Failures {
  private Failures() {}

  /** The failure itself, out of what carried it here. */
  public static Throwable unwrap(Throwable failure) {
    Throwable inner = failure;
    while (inner.getCause() != null
        && (inner instanceof CompletionException || inner instanceof ExecutionException)) {
      inner = inner.getCause();
    }
    return inner;
  }

  /** One line; the kind of failure where it has no message. */
  public static String line(Throwable failure) {
    Throwable inner = unwrap(failure);
    String message = inner.getMessage();
    String text = message == null || message.isBlank() ? inner.getClass().getSimpleName() : message;
    return text.replaceAll("\\s*\\R\\s*", " ").strip();
  }
}
