package dev.vertlet.simulated.shell;

/** A script that cannot be run. */
final class ScriptException extends Exception {
  private static final long serialVersionUID = 1;

  private final boolean unfinished;

  /**
   * @param unfinished whether more text could make it one
   */
  ScriptException(String message, boolean unfinished) {
    super(message);
    this.unfinished = unfinished;
  }

  boolean unfinished() {
    return unfinished;
  }
}
