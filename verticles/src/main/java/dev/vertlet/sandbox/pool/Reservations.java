package dev.vertlet.sandbox.pool;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/**
 * Pods that a claim was sent to, and that look idle until the watch has caught up. Spares writes
 * that would fail; that no pod is claimed twice does not hang on it. Pure but for its own fields.
 */
final class Reservations {
  /** Longer than a watch lags behind. */
  static final Duration TTL = Duration.ofSeconds(2);

  private record Held(long version, Instant until) {}

  private final Map<String, Held> held = new HashMap<>();

  /**
   * @param version of the pod: a newer one is worth another look
   */
  void hold(String uid, long version, Instant now) {
    held.put(uid, new Held(version, now.plus(TTL)));
  }

  void drop(String uid) {
    held.remove(uid);
  }

  /**
   * @param version of the pod as it is known now
   */
  boolean isHeld(String uid, long version, Instant now) {
    Held current = held.get(uid);
    return current != null && version <= current.version && now.isBefore(current.until);
  }
}
