package dev.vertlet.kubeletconfig;

/**
 * How much Kubernetes' own programs log, by a number, and what that is here: up to 3 what happens,
 * 4 and 5 how, above that all.
 *
 * @see <a
 *     href="https://github.com/kubernetes/community/blob/master/contributors/devel/sig-instrumentation/logging.md">Logging
 *     conventions</a>
 */
public final class Verbosity {
  private static final int DEBUG = 4;
  private static final int TRACE = 6;

  private Verbosity() {}

  /** A level of the configuration. */
  static String level(long verbosity) {
    if (verbosity < DEBUG) {
      return "info";
    }
    return verbosity < TRACE ? "debug" : "trace";
  }

  /**
   * The least number that is this level, in small letters.
   *
   * @return 0 for levels above debug, for which there are no numbers
   */
  public static int of(String level) {
    return switch (level) {
      case "debug" -> DEBUG;
      case "trace" -> TRACE;
      default -> 0;
    };
  }
}
