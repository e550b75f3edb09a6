package dev.vertlet.streaming.session;

import java.time.Duration;

/** A connection was idle for too long. */
final class ProtocolIdle extends Exception {
  ProtocolIdle(Duration limit) {
    super("nothing was sent for " + limit, null, false, false);
  }
}
