package dev.vertlet.kubeletconfig.validation;

import static dev.vertlet.kubeletconfig.validation.GoText.quoted;

import dev.vertlet.kubeletconfig.FeatureGates;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Rules for switches, choices and other single fields. */
final class OptionRules {
  private static final String RESTART = "crashLoopBackOff.maxContainerRestartPeriod";
  private static final String IDS = "userNamespaces.idsPerPod";
  private static final String HIDDEN = "showHiddenMetricsForVersion";
  private static final long UNIT = 65_536;
  private static final long MOST_IDS = 4_294_967_295L;

  /** Shortest period in milliseconds. */
  private static final long SHORTEST = 1_000;

  /** Longest period in milliseconds. */
  private static final long LONGEST = 300_000;

  /** Minor version before the kubelet version that vertlet follows. */
  private static final String PREVIOUS = "1.35";

  private OptionRules() {}

  static void check(Judged judged) {
    judged.require(
        !judged.flag("serverTLSBootstrap", false)
            || judged.enabled("RotateKubeletServerCertificate"),
        "serverTLSBootstrap",
        "serverTLSBootstrap true requires feature gate RotateKubeletServerCertificate");
    judged.require(
        !judged.flag("runOnce", false),
        "runOnce",
        "runOnce (--runOnce) true, Runonce mode has been deprecated and should not be set");
    choices(judged);
    restart(judged);
    String ids = ids(judged.number(IDS));
    if (ids != null) {
      judged.invalid(IDS, IDS + " must " + ids);
    }
    String version = judged.text(HIDDEN, PREVIOUS);
    if (!version.equals(PREVIOUS)) {
      judged.refuse(
          HIDDEN,
          "invalid %s: %s"
              .formatted(
                  HIDDEN,
                  GoText.invalid(
                      HIDDEN,
                      quoted(version),
                      "must be omitted or have the value '%s'; only the previous minor version is allowed"
                          .formatted(PREVIOUS))));
    }
  }

  private static void choices(Judged judged) {
    judged.oneOf(
        "topologyManagerPolicy",
        "none",
        Set.of("none", "best-effort", "restricted", "single-numa-node"),
        "topologyManagerPolicy (--topology-manager-policy) %s must be one of: [\"none\""
            + " \"best-effort\" \"restricted\" \"single-numa-node\"]");
    judged.oneOf(
        "topologyManagerScope",
        "container",
        Set.of("container", "pod"),
        "topologyManagerScope (--topology-manager-scope) %s must be one of: \"container\", or"
            + " \"pod\"");
    judged.oneOf(
        "hairpinMode",
        "none",
        Set.of("none", "hairpin-veth", "promiscuous-bridge"),
        "option %s specified for hairpinMode (--hairpin-mode). Valid options are \"none\","
            + " \"hairpin-veth\" or \"promiscuous-bridge\"");
  }

  private static void restart(Judged judged) {
    if (!judged.isSet(RESTART)) {
      return;
    }
    if (!judged.enabled(FeatureGates.BACK_OFF_MAX)) {
      judged.invalid(
          RESTART,
          "FeatureGate KubeletCrashLoopBackOffMax not enabled,"
              + " CrashLoopBackOff.MaxContainerRestartPeriod must not be set");
      return;
    }
    Duration period = judged.time(RESTART, Duration.ZERO);
    // fractions of a millisecond are ignored
    long millis = period.toNanos() / 1_000_000;
    judged.require(
        millis >= SHORTEST && millis <= LONGEST,
        RESTART,
        "CrashLoopBackOff.MaxContainerRestartPeriod (got: %s seconds) must be set between 1s and 300s"
            .formatted(GoText.number(period.toNanos() / 1e9)));
  }

  private static @Nullable String ids(@Nullable Number number) {
    if (number == null) {
      return null;
    }
    long ids = number.longValue();
    if (ids < UNIT) {
      return "not be less than " + UNIT;
    }
    if (ids % UNIT != 0) {
      return "be a multiple of " + UNIT;
    }
    return ids > MOST_IDS ? "not be more than " + MOST_IDS : null;
  }
}
