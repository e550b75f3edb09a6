package dev.vertlet.auth;

import dev.vertlet.auth.RefusedSettingsException.Refusal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Collects what is wrong with a record of settings, so that all of it is told at once. */
final class SettingsCheck {
  /** A token or a right that was withdrawn must end within a time that people wait for. */
  private static final Duration LONGEST_TTL = Duration.ofHours(1);

  private final List<Refusal> bad = new ArrayList<>();

  SettingsCheck that(boolean holds, String key, Object value, String allowed) {
    if (!holds) {
      bad.add(new Refusal(key, value, allowed));
    }
    return this;
  }

  /** For how long an answer of the API server may hold. */
  SettingsCheck ttl(String key, Duration value) {
    return that(
        !value.isNegative() && value.compareTo(LONGEST_TTL) <= 0,
        key,
        value,
        "must be from \"0s\" to \"1h\"");
  }

  /**
   * @throws RefusedSettingsException when anything did not hold
   */
  void done() {
    if (!bad.isEmpty()) {
      throw new RefusedSettingsException(bad);
    }
  }
}
