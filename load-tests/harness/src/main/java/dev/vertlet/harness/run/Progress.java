package dev.vertlet.harness.run;

/** Tells people on standard error how far work has come; standard output is for results. */
public sealed interface Progress extends AutoCloseable permits ProgressBars, ProgressLines {
  /** Bars where there is a terminal, else lines. */
  static Progress create() {
    boolean terminal = System.console() != null && !"dumb".equals(System.getenv("TERM"));
    return terminal ? new ProgressBars() : new ProgressLines(System.err);
  }

  /** Begins a step, which ends the one before. */
  void begin(String step, long total);

  /** So much of the step is done. */
  void at(long done);

  /** Ends the last step. */
  @Override
  void close();
}
