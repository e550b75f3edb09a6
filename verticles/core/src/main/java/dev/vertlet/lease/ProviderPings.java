package dev.vertlet.lease;

import java.time.Duration;

/**
 * The last ping of a node's provider. The node verticle reports every ping: silence means that not
 * even the ping's timeout was reported, because the provider blocks their thread. Pure; times are
 * monotonic nanoseconds.
 */
final class ProviderPings {
  private boolean ok;
  private long at;

  /** A ping was answered, or has failed. */
  void answered(boolean ok, long now) {
    this.ok = ok;
    this.at = now;
  }

  /** Whether the provider answered its last ping, and that ping counts still. */
  boolean alive(long now, Duration validity) {
    return ok && now - at <= validity.toNanos();
  }

  /** Whether the provider answered its last ping, which counts no longer. */
  boolean silent(long now, Duration validity) {
    return ok && !alive(now, validity);
  }
}
