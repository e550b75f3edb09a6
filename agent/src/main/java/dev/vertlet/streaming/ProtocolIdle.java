package dev.vertlet.streaming;

import java.time.Duration;

/** Nothing was sent on a connection for too long. */
final class ProtocolIdle extends Exception {
  ProtocolIdle(Duration limit) {
    super("nothing was sent for " + limit, null, false, false);
  }
}
