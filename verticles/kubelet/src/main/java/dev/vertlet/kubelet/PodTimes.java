package dev.vertlet.kubelet;

import dev.vertlet.kubelet.container.BackOffRange;
import dev.vertlet.kubelet.container.SlotBackOff;
import dev.vertlet.model.GoDuration;
import java.time.Duration;

/**
 * How often a node's pods are synced, and how long their restarts pause.
 *
 * @param syncFrequency period between two looks at a quiet pod, stretched by up to half at random
 *     per pod; 1 s to 24 h
 * @param firstContainerBackOff pause before the second restart of a container, 1 s to 10 s
 *     (kubelet's initialCrashLoopBackOff); the cap where that is lower
 * @param maxContainerBackOff cap of the pause between restarts of a container, 1 s to 300 s
 *     (kubelet's {@code crashLoopBackOff.maxContainerRestartPeriod})
 */
public record PodTimes(
    Duration syncFrequency, Duration firstContainerBackOff, Duration maxContainerBackOff) {
  private static final Duration FIRST = Duration.ofMillis(SlotBackOff.FIRST_PAUSE);

  /** The kubelet's defaults. */
  public static final PodTimes DEFAULTS =
      new PodTimes(Duration.ofMinutes(1), FIRST, Duration.ofSeconds(300));

  public PodTimes {
    within("syncFrequency", syncFrequency, Duration.ofHours(24));
    within("firstContainerBackOff", firstContainerBackOff, FIRST);
    within("maxContainerBackOff", maxContainerBackOff, Duration.ofSeconds(300));
  }

  /** Pauses between restarts of a container. */
  BackOffRange backOff() {
    long max = maxContainerBackOff.toMillis();
    return new BackOffRange(Math.min(firstContainerBackOff.toMillis(), max), max);
  }

  static void within(String key, Duration value, Duration max) {
    if (value.compareTo(Duration.ofSeconds(1)) < 0 || value.compareTo(max) > 0) {
      throw new IllegalArgumentException(
          key
              + " must be from 1s to "
              + GoDuration.format(max)
              + ", got "
              + GoDuration.format(value));
    }
  }
}
