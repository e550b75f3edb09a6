package dev.vertlet.stages.play;

/** The output of a template that a step cannot use. */
public final class RenderException extends RuntimeException {
  private static final long serialVersionUID = 1;

  RenderException(String message) {
    super(message, null, false, false);
  }
}
