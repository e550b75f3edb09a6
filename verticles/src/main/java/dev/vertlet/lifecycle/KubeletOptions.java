package dev.vertlet.lifecycle;

import dev.vertlet.model.GoDuration;
import java.time.Duration;

/**
 * How a {@link KubeletCore} behaves.
 *
 * @param profile what is told to the cluster
 * @param syncFrequency how often a quiet pod is looked at again, stretched by up to half at random
 *     per pod; 1 s to 24 h
 * @param relistPeriod how often the runtime's whole state is compared with ours; 1 s to 1 min, as a
 *     runtime that has not told it for 3 min counts as broken
 * @param maxContainerBackOff cap of the pause between restarts of a container, 1 s to 300 s; below
 *     10 s it is the first pause too (kubelet's {@code crashLoopBackOff.maxContainerRestartPeriod})
 */
public record KubeletOptions(
    Profile profile, Duration syncFrequency, Duration relistPeriod, Duration maxContainerBackOff) {
  /** The kubelet's own defaults; relistPeriod is the repair interval of a runtime that pushes. */
  public static final KubeletOptions DEFAULTS =
      new KubeletOptions(
          Profile.KUBELET, Duration.ofMinutes(1), Duration.ofSeconds(60), Duration.ofSeconds(300));

  /** What is told to the cluster. */
  public enum Profile {
    /** All pod events and every intermediate status, as a kubelet does. */
    KUBELET,
    /** No pod events, and only statuses that somebody waits for: ready, failing, ended. */
    FAST
  }

  public KubeletOptions {
    within("syncFrequency", syncFrequency, Duration.ofHours(24));
    within("relistPeriod", relistPeriod, Duration.ofMinutes(1));
    within("maxContainerBackOff", maxContainerBackOff, Duration.ofSeconds(300));
  }

  public KubeletOptions withProfile(Profile replacement) {
    return new KubeletOptions(replacement, syncFrequency, relistPeriod, maxContainerBackOff);
  }

  boolean fast() {
    return profile == Profile.FAST;
  }

  private static void within(String key, Duration value, Duration max) {
    if (value.compareTo(Duration.ofSeconds(1)) < 0 || value.compareTo(max) > 0) {
      throw new IllegalArgumentException(
          "kubelet."
              + key
              + " must be from 1s to "
              + GoDuration.format(max)
              + ", got "
              + GoDuration.format(value));
    }
  }
}
