package dev.vertlet.kubeletconfig.validation;

import dev.vertlet.model.GoDuration;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Rules for image pulls, verification and garbage collection. */
final class ImageRules {
  private static final String HIGH = "imageGCHighThresholdPercent";
  private static final String LOW = "imageGCLowThresholdPercent";
  private static final String POLICY = "imagePullCredentialsVerificationPolicy";
  private static final String ALLOWLIST = "preloadedImagesVerificationAllowlist";
  private static final String ALLOWLISTED = "NeverVerifyAllowlistedImages";
  private static final String PRELOADED = "NeverVerifyPreloadedImages";
  private static final Set<String> POLICIES =
      Set.of("NeverVerify", PRELOADED, ALLOWLISTED, "AlwaysVerify");

  private ImageRules() {}

  static void check(Judged judged) {
    thresholds(judged);
    ages(judged);
    judged.require(
        judged.number("maxParallelImagePulls", 1) <= 1
            || !judged.flag("serializeImagePulls", false),
        "maxParallelImagePulls",
        "maxParallelImagePulls cannot be larger than 1 unless SerializeImagePulls"
            + " (--serialize-image-pulls) is set to false");
    if (judged.enabled("KubeletEnsureSecretPulledImages")) {
      verification(judged);
    } else {
      for (String field : List.of(POLICY, ALLOWLIST)) {
        judged.require(
            !judged.isSet(field),
            field,
            "`%s` must not be set if KubeletEnsureSecretPulledImages feature gate is not enabled"
                .formatted(field));
      }
    }
  }

  private static void thresholds(Judged judged) {
    long high = judged.number(HIGH, 85);
    long low = judged.number(LOW, 80);
    judged.require(
        low < high,
        judged.isSet(LOW) ? LOW : HIGH,
        "%s (--image-gc-low-threshold) %d must be less than %s (--image-gc-high-threshold) %d"
            .formatted(LOW, low, HIGH, high));
  }

  private static void ages(Judged judged) {
    Duration least = judged.time("imageMinimumGCAge", Duration.ofMinutes(2));
    Duration most = judged.time("imageMaximumGCAge", Duration.ZERO);
    judged.require(
        !least.isNegative(),
        "imageMinimumGCAge",
        "imageMinimumGCAge %s must not be negative".formatted(GoDuration.format(least)));
    judged.require(
        !most.isNegative(),
        "imageMaximumGCAge",
        "imageMaximumGCAge %s must not be negative".formatted(GoDuration.format(most)));
    judged.require(
        most.isZero() || most.isNegative() || most.compareTo(least) > 0,
        "imageMaximumGCAge",
        "imageMaximumGCAge %s must be greater than imageMinimumGCAge %s"
            .formatted(GoDuration.format(most), GoDuration.format(least)));
  }

  private static void verification(Judged judged) {
    judged.oneOf(
        POLICY,
        PRELOADED,
        POLICIES,
        "option %s specified for imagePullCredentialsVerificationPolicy. Valid options are"
            + " \"NeverVerify\", \"NeverVerifyPreloadedImages\", \"NeverVerifyAllowlistedImages\""
            + " or \"AlwaysVerify\"");
    List<Object> patterns = judged.list(ALLOWLIST);
    if (!patterns.isEmpty() && !judged.text(POLICY, PRELOADED).equals(ALLOWLISTED)) {
      judged.invalid(
          ALLOWLIST,
          "can't set `%s` if `imagePullCredentialsVertificationPolicy` is not \"%s\""
              .formatted(ALLOWLIST, ALLOWLISTED));
      return;
    }
    for (int i = 0; i < patterns.size(); i++) {
      Optional<String> problem = ImagePattern.problem((String) patterns.get(i));
      if (problem.isPresent()) {
        judged.invalid(
            ALLOWLIST, "invalid image pattern in `%s`: %s".formatted(ALLOWLIST, problem.get()), i);
        return; // a kubelet reports only the first
      }
    }
  }
}
