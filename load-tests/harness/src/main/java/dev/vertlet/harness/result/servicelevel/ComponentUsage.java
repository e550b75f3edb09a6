package dev.vertlet.harness.result.servicelevel;

import java.util.List;

/**
 * Resource usage of one program of a control plane.
 *
 * @param name for example {@code kube-apiserver}
 * @param cpuMillis CPU time since the beginning of the record
 * @param peakMiB highest resident memory in a sample
 * @param samples samples in order of time
 */
public record ComponentUsage(String name, double cpuMillis, double peakMiB, List<Sample> samples) {
  public ComponentUsage {
    samples = List.copyOf(samples);
  }

  /**
   * Usage at one time.
   *
   * @param seconds time after the beginning of the record
   * @param cpuPercent of one core, since the sample before
   */
  public record Sample(double seconds, double cpuPercent, double residentMiB) {}
}
