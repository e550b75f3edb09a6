package dev.vertlet.kube;

/**
 * The configuration does not say how to reach the API server, or what it names cannot be used. The
 * message names the file, context or field and is meant for the person who wrote it.
 */
public final class AccessException extends RuntimeException {
  AccessException(String message) {
    super(message);
  }

  AccessException(String message, Throwable cause) {
    super(message, cause);
  }
}
