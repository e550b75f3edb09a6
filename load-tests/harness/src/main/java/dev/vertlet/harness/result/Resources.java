package dev.vertlet.harness.result;

import java.util.List;

/**
 * Resource usage of the subject's process.
 *
 * @param readyMiB resident memory when its nodes were Ready and no pod existed
 * @param fullMiB highest resident memory at the end of a phase
 * @param endMiB resident memory at the end
 * @param peakMiB highest resident memory at any time
 * @param slopeMiBPerHour slope of resident memory over all phases that are no warm-up, by least
 *     squares
 * @param samples samples in order of time
 */
public record Resources(
    double readyMiB,
    double fullMiB,
    double endMiB,
    double peakMiB,
    double slopeMiBPerHour,
    List<Sample> samples) {
  public Resources {
    samples = List.copyOf(samples);
  }

  /**
   * Sample of the process.
   *
   * @param seconds time after the start of the first phase
   * @param cpuMillis CPU time since the start of the process
   */
  public record Sample(double seconds, double cpuMillis, double residentMiB) {}
}
