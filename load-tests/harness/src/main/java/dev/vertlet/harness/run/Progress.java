package dev.vertlet.harness.run;

/** Shows the progress of work on standard error; standard output is for results. */
public sealed interface Progress extends AutoCloseable permits ProgressBars, ProgressLines {
  /** Creates bars for a terminal, otherwise lines. */
  static Progress create() {
    boolean terminal = System.console() != null && !"dumb".equals(System.getenv("TERM"));
    return terminal
        ? new ProgressBars(System.err, TerminalWidth.current(), System::nanoTime)
        : new ProgressLines(System.err, System::nanoTime);
  }

  /**
   * Begins a step and ends the one before.
   *
   * @param total 0 if unknown or if there is no work
   */
  void begin(String step, long total);

  /** Updates the amount of work done in the step. */
  default void at(long done) {
    at(done, "");
  }

  /**
   * Updates the amount of work done in the step. Called often, because the rate is derived from the
   * calls.
   *
   * @param detail additional text, as short as possible: {@code p50 9 ms, p99 31 ms, 100 nodes}
   */
  void at(long done, String detail);

  /** Shows an event, such as a fault, among the lines of the steps. */
  void happened(String what);

  /** Ends the last step. */
  @Override
  void close();
}
