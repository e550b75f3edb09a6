package dev.vertlet.model;

/**
 * Bytes from the API server that are not what was asked for. The message says where it failed and
 * never quotes the content.
 */
public final class DecodeException extends RuntimeException {
  public DecodeException(String message) {
    super(message);
  }

  public DecodeException(String message, Throwable cause) {
    super(message, cause);
  }
}
