package dev.vertlet.harness.loadtest;

import dev.vertlet.harness.result.RunResult.Environment;
import java.time.Instant;

/** Where a load test runs. */
final class Environments {
  private Environments() {}

  /** This machine, now. */
  static Environment of(Instant started, LoadTestOptions options, String kubernetes) {
    return new Environment(
        started,
        options.target().toString(),
        kubernetes,
        Runtime.getRuntime().availableProcessors(),
        Runtime.version().toString(),
        System.getProperty("os.name") + " " + System.getProperty("os.version"),
        options.arguments());
  }
}
