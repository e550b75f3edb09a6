package dev.vertlet.sandbox.pool;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/**
 * Pods with a claim written to them that look idle until the watch has caught up. Saves writes that
 * would fail; that no pod is claimed twice does not depend on it. Pure except for its own fields.
 */
final class Reservations {
  /** Longer than the delay of a watch. */
  static final Duration TTL = Duration.ofSeconds(2);

  private record Held(long version, Instant until) {}

  private final Map<String, Held> held = new HashMap<>();

  /**
   * Reserves a pod.
   *
   * @param version of the pod: a newer one ends the reservation
   */
  void hold(String uid, long version, Instant now) {
    held.put(uid, new Held(version, now.plus(TTL)));
  }

  void drop(String uid) {
    held.remove(uid);
  }

  /**
   * Whether a pod is reserved.
   *
   * @param version known version of the pod
   */
  boolean isHeld(String uid, long version, Instant now) {
    Held current = held.get(uid);
    return current != null && version <= current.version && now.isBefore(current.until);
  }
}
