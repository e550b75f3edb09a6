package dev.vertlet.harness.run;

/** Somebody wants the process to end (SIGTERM, SIGINT) before the work is done. */
public final class StoppedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  StoppedException() {
    super("stopped before the end");
  }
}
