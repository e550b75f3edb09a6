package dev.vertlet.harness.run;

/** Tells people on standard error how far work has come; standard output is for results. */
public sealed interface Progress extends AutoCloseable permits ProgressBars, ProgressLines {
  /** Bars where there is a terminal, else lines. */
  static Progress create() {
    boolean terminal = System.console() != null && !"dumb".equals(System.getenv("TERM"));
    return terminal
        ? new ProgressBars(System.err, TerminalWidth.current(), System::nanoTime)
        : new ProgressLines(System.err, System::nanoTime);
  }

  /**
   * Begins a step, which ends the one before.
   *
   * @param total 0 when nobody knows, or there is nothing to do
   */
  void begin(String step, long total);

  /** So much of the step is done. */
  default void at(long done) {
    at(done, "");
  }

  /**
   * So much of the step is done. To be called often: how much is done per second comes from it.
   *
   * @param detail what else is known, as short as it can be: {@code p50 9 ms, p99 31 ms, 100 nodes}
   */
  void at(long done, String detail);

  /** Something happened that people want to see between the steps' own lines, such as a fault. */
  void happened(String what);

  /** Ends the last step. */
  @Override
  void close();
}
