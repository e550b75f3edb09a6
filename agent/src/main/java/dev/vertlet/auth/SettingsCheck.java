package dev.vertlet.auth;

import dev.vertlet.auth.RefusedSettingsException.Refusal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Collects the mistakes in a settings record, so that all are reported at once. */
final class SettingsCheck {
  /**
   * Longest lifetime of a cached answer: a revoked token or permission must lose its effect within
   * a reasonable time.
   */
  private static final Duration LONGEST_TTL = Duration.ofHours(1);

  private final List<Refusal> bad = new ArrayList<>();

  SettingsCheck that(boolean holds, String key, Object value, String allowed) {
    if (!holds) {
      bad.add(new Refusal(key, value, allowed));
    }
    return this;
  }

  /** Checks the lifetime of cached API server answers. */
  SettingsCheck ttl(String key, Duration value) {
    return that(
        !value.isNegative() && value.compareTo(LONGEST_TTL) <= 0,
        key,
        value,
        "must be from \"0s\" to \"1h\"");
  }

  /**
   * @throws RefusedSettingsException when a check failed
   */
  void done() {
    if (!bad.isEmpty()) {
      throw new RefusedSettingsException(bad);
    }
  }
}
