package dev.vertlet.harness.loadtest;

import dev.vertlet.config.BuildInfo;
import dev.vertlet.harness.result.RunResult.Environment;
import java.lang.management.ManagementFactory;
import java.time.Instant;

/** Where a load test runs. */
final class Environments {
  private Environments() {}

  /**
   * This machine.
   *
   * @param loadAverage at the start, as of {@link #loadAverage}
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

  /** Of the last minute; NaN where the system does not tell. */
  static double loadAverage() {
    double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
    return load < 0 ? Double.NaN : load;
  }
}
