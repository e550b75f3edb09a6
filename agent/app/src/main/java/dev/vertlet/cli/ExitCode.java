package dev.vertlet.cli;

/** Exit codes of the process. */
public final class ExitCode {
  public static final int OK = 0;
  public static final int FAILED = 1;

  /** Wrong usage, or an invalid configuration. */
  public static final int USAGE = 2;

  private ExitCode() {}
}
