package dev.vertlet.eviction;

import java.time.Duration;

/**
 * Image garbage collection of one node; a kubelet's options of these names.
 *
 * @param highThresholdPercent usage of the image file system at which images are removed; 100: no
 *     image is removed for space
 * @param lowThresholdPercent images are removed until usage is at most this; at most the high
 *     threshold
 * @param minimumAge minimum time on the node before an image may be removed; 0 or more
 * @param maximumAge an image unused for longer is removed however much space is free; zero: none is
 */
public record ImageGcOptions(
    int highThresholdPercent, int lowThresholdPercent, Duration minimumAge, Duration maximumAge) {
  /** A kubelet's values (apis/config/v1beta1/defaults.go, 1.36.3). */
  public static final ImageGcOptions DEFAULTS =
      new ImageGcOptions(85, 80, Duration.ofMinutes(2), Duration.ZERO);

  private static final int ALL = 100;

  public ImageGcOptions {
    percent("imageGCHighThresholdPercent", highThresholdPercent);
    percent("imageGCLowThresholdPercent", lowThresholdPercent);
    if (lowThresholdPercent > highThresholdPercent) {
      throw new IllegalArgumentException(
          "imageGCLowThresholdPercent %d must not be above imageGCHighThresholdPercent %d"
              .formatted(lowThresholdPercent, highThresholdPercent));
    }
    if (minimumAge.isNegative() || maximumAge.isNegative()) {
      throw new IllegalArgumentException("ages of images must not be negative");
    }
    if (!maximumAge.isZero() && maximumAge.compareTo(minimumAge) <= 0) {
      throw new IllegalArgumentException("imageMaximumGCAge must be longer than imageMinimumGCAge");
    }
  }

  private static void percent(String key, int value) {
    if (value < 0 || value > ALL) {
      throw new IllegalArgumentException(key + " must be from 0 to 100, got " + value);
    }
  }

  /** Whether images are ever removed automatically. */
  public boolean enabled() {
    return highThresholdPercent < ALL || !maximumAge.isZero();
  }
}
