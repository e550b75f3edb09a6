package dev.vertlet.lifecycle;

import java.time.Duration;

/**
 * How a {@link KubeletCore} behaves.
 *
 * @param profile what is told to the cluster
 * @param relistPeriod how often the runtime's whole state is compared with ours; 1 s to 1 min, as a
 *     runtime that has not told it for 3 min counts as broken
 * @param prePull whether an image that replaces another one in a running pod is pulled before the
 *     container with that ends
 */
public record KubeletOptions(Profile profile, Duration relistPeriod, boolean prePull) {
  /** A kubelet's profile; relistPeriod is the repair interval of a runtime that pushes. */
  public static final KubeletOptions DEFAULTS =
      new KubeletOptions(Profile.KUBELET, Duration.ofSeconds(60), false);

  /** What is told to the cluster. */
  public enum Profile {
    /** All pod events and every intermediate status, as a kubelet does. */
    KUBELET,
    /** No pod events, and only statuses that somebody waits for: ready, failing, ended. */
    FAST
  }

  /** Without pulling ahead. */
  public KubeletOptions(Profile profile, Duration relistPeriod) {
    this(profile, relistPeriod, false);
  }

  public KubeletOptions {
    PodTimes.within("relistPeriod", relistPeriod, Duration.ofMinutes(1));
  }

  public KubeletOptions withProfile(Profile replacement) {
    return new KubeletOptions(replacement, relistPeriod, prePull);
  }

  public KubeletOptions withPrePull(boolean replacement) {
    return new KubeletOptions(profile, relistPeriod, replacement);
  }

  boolean fast() {
    return profile == Profile.FAST;
  }
}
