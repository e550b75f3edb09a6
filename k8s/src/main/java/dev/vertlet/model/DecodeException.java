package dev.vertlet.model;

/**
 * Bytes from the API server are not of the requested type. The message names the position and never
 * quotes the content.
 */
public final class DecodeException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String pointer;

  public DecodeException(String message) {
    this(message, "");
  }

  /**
   * @param pointer JSON pointer of the value; empty if it is unknown
   */
  public DecodeException(String message, String pointer) {
    super(message);
    this.pointer = pointer;
  }

  public DecodeException(String message, Throwable cause) {
    super(message, cause);
    this.pointer = "";
  }

  /** JSON pointer of the value; empty if it is unknown. */
  public String pointer() {
    return pointer;
  }
}
