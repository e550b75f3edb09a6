package dev.vertlet.config;

import dev.vertlet.eviction.ImageGcOptions;
import dev.vertlet.model.GoDuration;
import dev.vertlet.problem.Problems;
import java.time.Duration;

/** Image garbage collection settings of a node template, as written; the options of a kubelet. */
record ImageGcTemplate(int high, int low, Duration minimumAge, Duration maximumAge) {
  private static final String LOW = "imageGCLowThresholdPercent";
  private static final String MAXIMUM = "imageMaximumGCAge";

  static final ImageGcTemplate DEFAULTS =
      new ImageGcTemplate(
          ImageGcOptions.DEFAULTS.highThresholdPercent(),
          ImageGcOptions.DEFAULTS.lowThresholdPercent(),
          ImageGcOptions.DEFAULTS.minimumAge(),
          ImageGcOptions.DEFAULTS.maximumAge());

  static ImageGcTemplate read(Section json) {
    return new ImageGcTemplate(
        json.number("imageGCHighThresholdPercent", DEFAULTS.high),
        json.number(LOW, DEFAULTS.low),
        json.duration("imageMinimumGCAge", DEFAULTS.minimumAge),
        json.duration(MAXIMUM, DEFAULTS.maximumAge));
  }

  /** Of use only where it adds no problems. */
  ImageGcOptions options(Problems problems) {
    if (low > high) {
      String allowed = "must not be above imageGCHighThresholdPercent, which is " + high;
      problems.refuse("/" + LOW, low, allowed);
      return ImageGcOptions.DEFAULTS;
    }
    if (!maximumAge.isZero() && maximumAge.compareTo(minimumAge) <= 0) {
      String allowed = "must be longer than imageMinimumGCAge, or 0s";
      problems.refuse("/" + MAXIMUM, GoDuration.format(maximumAge), allowed);
      return ImageGcOptions.DEFAULTS;
    }
    return new ImageGcOptions(high, low, minimumAge, maximumAge);
  }
}
