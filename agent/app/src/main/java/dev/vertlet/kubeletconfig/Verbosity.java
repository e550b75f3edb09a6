package dev.vertlet.kubeletconfig;

/**
 * Maps verbosity numbers of Kubernetes' programs to levels: up to 3 is info, 4 and 5 debug, above
 * that trace.
 *
 * @see <a
 *     href="https://github.com/kubernetes/community/blob/master/contributors/devel/sig-instrumentation/logging.md">Logging
 *     conventions</a>
 */
public final class Verbosity {
  private static final int DEBUG = 4;
  private static final int TRACE = 6;

  private Verbosity() {}

  /** Returns the level of the configuration. */
  static String level(long verbosity) {
    if (verbosity < DEBUG) {
      return "info";
    }
    return verbosity < TRACE ? "debug" : "trace";
  }

  /**
   * Returns the lowest number of this level in lower case.
   *
   * @return 0 for levels above debug, which have no number
   */
  public static int of(String level) {
    return switch (level) {
      case "debug" -> DEBUG;
      case "trace" -> TRACE;
      default -> 0;
    };
  }
}
