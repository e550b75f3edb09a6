package dev.vertlet.stages.template.value;

/** An error that a function returns: rendering ends with {@code error calling NAME: message}. */
public final class FunctionException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** An error with the sentence of Go's function. */
  public FunctionException(String message) {
    super(message, null, false, false);
  }
}
