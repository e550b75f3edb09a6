package dev.vertlet.kubelet;

import java.time.Duration;
import java.util.Locale;

/**
 * How a {@link KubeletCore} behaves.
 *
 * @param profile which statuses and events reach the cluster
 * @param relistPeriod period of the comparison with the runtime's whole state; 1 s to 1 min,
 *     because a runtime without a successful list for 3 min counts as broken
 * @param prePull whether the new image of a running container is pulled before the container ends
 */
public record KubeletOptions(Profile profile, Duration relistPeriod, boolean prePull) {
  /** The profile of a kubelet; relistPeriod is the repair interval of a runtime that pushes. */
  public static final KubeletOptions DEFAULTS =
      new KubeletOptions(Profile.KUBELET, Duration.ofSeconds(60), false);

  /** Which statuses and events reach the cluster. */
  public enum Profile {
    /** All pod events and every intermediate status, as a kubelet does. */
    KUBELET,
    /** No pod events, and only the statuses that clients wait for: ready, failing, ended. */
    FAST;

    /** Returns the value as in the configuration. */
    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Leaves prePull off. */
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
