package dev.vertlet.harness.result;

import java.util.List;

/**
 * What the subject's process took.
 *
 * @param readyMiB resident memory when its nodes were Ready and no pod was there
 * @param fullMiB the most at the end of any phase
 * @param endMiB at the end
 * @param peakMiB the most it ever was
 * @param slopeMiBPerHour of resident memory over all phases that are no warm-up, by least squares
 * @param samples in order of time
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
   * One look at the process.
   *
   * @param seconds after the beginning of the first phase
   * @param cpuMillis since the process began
   */
  public record Sample(double seconds, double cpuMillis, double residentMiB) {}
}
