package dev.vertlet.harness.run;

/** The process was asked to end (SIGTERM, SIGINT) before the work was done. */
public final class StoppedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  StoppedException() {
    super("stopped before the end");
  }
}
