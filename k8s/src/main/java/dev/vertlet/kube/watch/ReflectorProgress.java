package dev.vertlet.kube.watch;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;

/** What a reflector shows of itself to other contexts. Written on the client's loop. */
final class ReflectorProgress {
  private final Clock clock;
  private volatile Instant lastHeard; // read on any context
  private volatile boolean synced; // read on any context

  ReflectorProgress(Clock clock) {
    this.clock = clock;
    this.lastHeard = clock.instant();
  }

  Instant now() {
    return clock.instant();
  }

  /** The server has sent something; returns the time. */
  Instant heard() {
    lastHeard = clock.instant();
    return lastHeard;
  }

  Instant lastHeard() {
    return lastHeard;
  }

  /** Time since the server last sent anything. */
  Duration age() {
    return Duration.between(lastHeard, clock.instant());
  }

  /** The first complete list was delivered. */
  void complete() {
    synced = true;
  }

  boolean synced() {
    return synced;
  }
}
