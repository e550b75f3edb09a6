package dev.vertlet.testing;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/**
 * Time that moves only when told: wall clock and monotonic nanoseconds together. Locked, because
 * the test's thread moves it and event loops read it.
 */
public final class ManualClock extends Clock {
  private Instant now = Instant.parse("2026-01-01T00:00:00Z");
  private long nanos;

  public synchronized void advance(Duration by) {
    now = now.plus(by);
    nanos += by.toNanos();
  }

  /** As when somebody sets a machine's clock: no time passes. */
  public synchronized void set(Duration ahead) {
    now = now.plus(ahead);
  }

  public synchronized long nanos() {
    return nanos;
  }

  @Override
  public synchronized Instant instant() {
    return now;
  }

  @Override
  public ZoneId getZone() {
    return ZoneOffset.UTC;
  }

  @Override
  public Clock withZone(ZoneId zone) {
    return this;
  }
}
