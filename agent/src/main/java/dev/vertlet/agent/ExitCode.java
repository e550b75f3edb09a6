package dev.vertlet.agent;

/** What the process tells the shell. */
final class ExitCode {
  static final int OK = 0;
  static final int FAILED = 1;

  /** Wrong usage, or a configuration that cannot be run. */
  static final int USAGE = 2;

  private ExitCode() {}
}
