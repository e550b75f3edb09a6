package dev.vertlet.harness.result.servicelevel;

/**
 * Outcome of a service level: its slowest kind of request, wherever that was measured.
 *
 * @param count requests or pods of all kinds of the level; 0 without a measurement
 * @param p99 in milliseconds; NaN without a measurement
 * @param worst kind with that percentile, for display; empty for none
 * @param source where it was measured
 */
public record LevelResult(ServiceLevel level, long count, double p99, String worst, Source source) {
  /** Whether the objective is met; also when nothing was measured that could miss it. */
  public boolean met() {
    return !(p99 > level.limitMillis());
  }

  /** Whether anything was measured. */
  public boolean measured() {
    return !Double.isNaN(p99);
  }

  /** Slowest kind and where it was measured, for display; empty for none. */
  public String detail() {
    return worst.isEmpty() ? "" : worst + ", measured " + source.text();
  }
}
