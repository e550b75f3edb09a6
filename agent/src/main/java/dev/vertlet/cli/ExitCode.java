package dev.vertlet.cli;

/** What the process tells the shell. */
public final class ExitCode {
  public static final int OK = 0;
  public static final int FAILED = 1;

  /** Wrong usage, or a configuration that cannot be run. */
  public static final int USAGE = 2;

  private ExitCode() {}
}
