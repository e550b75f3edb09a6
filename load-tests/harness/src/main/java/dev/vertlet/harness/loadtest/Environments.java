package dev.vertlet.harness.loadtest;

import dev.vertlet.config.process.BuildInfo;
import dev.vertlet.harness.result.RunResult.Environment;
import java.lang.management.ManagementFactory;
import java.time.Instant;

/** Describes the environment of a load test. */
final class Environments {
  private Environments() {}

  /**
   * Describes this machine.
   *
   * @param loadAverage load average at the start, from {@link #loadAverage}
   */
  static Environment of(
      Instant started, double loadAverage, LoadTestOptions options, String kubernetes) {
    BuildInfo build = BuildInfo.get();
    return new Environment(
        started,
        build.version(),
        build.commit(),
        loadAverage,
        options.target().toString(),
        kubernetes,
        Runtime.getRuntime().availableProcessors(),
        Runtime.version().toString(),
        System.getProperty("os.name") + " " + System.getProperty("os.version"),
        options.arguments());
  }

  /** Load average of the last minute; NaN if the system does not report it. */
  static double loadAverage() {
    double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
    return load < 0 ? Double.NaN : load;
  }
}
