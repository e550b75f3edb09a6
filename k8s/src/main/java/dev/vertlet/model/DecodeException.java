package dev.vertlet.model;

/**
 * Bytes from the API server are not of the requested type. The message names the position and never
 * quotes the content.
 */
public final class DecodeException extends RuntimeException {
  public DecodeException(String message) {
    super(message);
  }

  public DecodeException(String message, Throwable cause) {
    super(message, cause);
  }
}
