package dev.vertlet.testsupport;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/**
 * Time that moves only when a test says so: wall clock and monotonic nanoseconds together. Locked,
 * because the test's thread moves it and event loops read it.
 */
public final class ManualClock extends Clock {
  private Instant now;
  private long nanos;

  public ManualClock() {
    this(Instant.parse("2026-01-01T00:00:00Z"));
  }

  public ManualClock(Instant now) {
    this.now = now;
  }

  public synchronized void advance(Duration by) {
    now = now.plus(by);
    nanos += by.toNanos();
  }

  /** As when somebody sets a machine's clock: no time passes. */
  public synchronized void set(Duration ahead) {
    now = now.plus(ahead);
  }

  /** As the other one. */
  public synchronized void set(Instant time) {
    now = time;
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
