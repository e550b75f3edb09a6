package dev.vertlet.kube;

/**
 * The configuration lacks a way to reach the API server, or names a file, context or field that is
 * not usable. The message names it, for the author of the configuration.
 */
public final class AccessException extends RuntimeException {
  public AccessException(String message) {
    super(message);
  }

  public AccessException(String message, Throwable cause) {
    super(message, cause);
  }
}
