package dev.vertlet.harness.loadtest;

import dev.vertlet.config.process.BuildInfo;
import dev.vertlet.harness.result.RunResult.Environment;
import java.lang.management.ManagementFactory;
import java.time.Instant;
import java.util.List;

/** Describes the environment of a load test or replay. */
public final class Environments {
  private Environments() {}

  /**
   * Describes this machine.
   *
   * @param loadAverage load average at the start, from {@link #loadAverage}
   * @param target as the command line names it
   * @param arguments command-line arguments
   * @param kubernetes version of the API server
   */
  public static Environment of(
      Instant started,
      double loadAverage,
      String target,
      List<String> arguments,
      String kubernetes) {
    BuildInfo build = BuildInfo.get();
    return new Environment(
        started,
        build.version(),
        build.commit(),
        loadAverage,
        target,
        kubernetes,
        Runtime.getRuntime().availableProcessors(),
        Runtime.version().toString(),
        System.getProperty("os.name") + " " + System.getProperty("os.version"),
        arguments);
  }

  /** Load average of the last minute; NaN if the system does not report it. */
  public static double loadAverage() {
    double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
    return load < 0 ? Double.NaN : load;
  }
}
