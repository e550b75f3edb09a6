package dev.vertlet.kubeletconfig.validation;

import static dev.vertlet.kubeletconfig.validation.GoText.held;

import java.time.Duration;

/** Rules for graceful node shutdown. */
final class ShutdownRules {
  private static final String ALL = "shutdownGracePeriod";
  private static final String CRITICAL = "shutdownGracePeriodCriticalPods";
  private static final String BY_PRIORITY = "shutdownGracePeriodByPodPriority";

  private ShutdownRules() {}

  static void check(Judged judged) {
    Duration whole = judged.time(ALL, Duration.ZERO);
    Duration last = judged.time(CRITICAL, Duration.ZERO);
    boolean some = isPositive(whole) || isPositive(last);
    if (judged.enabled("GracefulNodeShutdown")) {
      judged.require(
          last.compareTo(whole) <= 0,
          judged.isSet(CRITICAL) ? CRITICAL : ALL,
          "%s %s must be <= %s %s".formatted(CRITICAL, held(last), ALL, held(whole)));
      second(judged, ALL, whole);
      second(judged, CRITICAL, last);
    } else {
      judged.require(
          !some,
          judged.isSet(ALL) ? ALL : CRITICAL,
          "specifying shutdownGracePeriod or shutdownGracePeriodCriticalPods requires feature gate"
              + " GracefulNodeShutdown");
    }
    boolean ranked = judged.isSet(BY_PRIORITY);
    if (judged.enabled("GracefulNodeShutdownBasedOnPodPriority")) {
      judged.require(
          !ranked || !some,
          BY_PRIORITY,
          "Cannot specify both shutdownGracePeriodByPodPriority and shutdownGracePeriod at the same"
              + " time");
    } else {
      judged.require(
          !ranked,
          BY_PRIORITY,
          "Specifying shutdownGracePeriodByPodPriority requires feature gate"
              + " GracefulNodeShutdownBasedOnPodPriority");
    }
  }

  private static boolean isPositive(Duration time) {
    return !time.isZero() && !time.isNegative();
  }

  private static void second(Judged judged, String field, Duration time) {
    judged.require(
        time.isZero() || time.compareTo(Duration.ofSeconds(1)) >= 0,
        field,
        "%s %s must be either zero or otherwise >= 1 sec".formatted(field, held(time)));
  }
}
