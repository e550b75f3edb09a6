package dev.vertlet.harness.measure;

import dev.vertlet.harness.result.PhaseResult;
import dev.vertlet.harness.result.Resources.Sample;
import java.util.List;

/** Growth rate of memory. */
public final class Slope {
  private static final double SECONDS_PER_HOUR = 3_600;

  private Slope() {}

  /**
   * Slope of resident memory by least squares over the samples in phases that are no warm-up.
   *
   * @return MiB per hour; 0 for fewer than two samples at different times
   */
  public static double mebibytesPerHour(List<Sample> samples, List<PhaseResult> phases) {
    List<Sample> counted = samples.stream().filter(sample -> counts(sample, phases)).toList();
    double meanSeconds = counted.stream().mapToDouble(Sample::seconds).average().orElse(0);
    double meanMiB = counted.stream().mapToDouble(Sample::residentMiB).average().orElse(0);
    double both = 0;
    double square = 0;
    for (Sample sample : counted) {
      double seconds = sample.seconds() - meanSeconds;
      both += seconds * (sample.residentMiB() - meanMiB);
      square += seconds * seconds;
    }
    return square == 0 ? 0 : both / square * SECONDS_PER_HOUR;
  }

  private static boolean counts(Sample sample, List<PhaseResult> phases) {
    return phases.stream()
        .filter(phase -> !phase.warmUp())
        .anyMatch(
            phase ->
                sample.seconds() >= phase.beganSeconds()
                    && sample.seconds() <= phase.beganSeconds() + phase.seconds());
  }
}
