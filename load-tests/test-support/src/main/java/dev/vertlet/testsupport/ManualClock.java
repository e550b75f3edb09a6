package dev.vertlet.testsupport;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/**
 * Clock that a test advances: wall clock and monotonic nanoseconds together. Thread-safe, because
 * the test's thread advances it and event loops read it.
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

  /** Moves the wall clock alone, as setting a machine's clock does: no time passes. */
  public synchronized void set(Duration ahead) {
    now = now.plus(ahead);
  }

  /** Sets the wall clock alone. */
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
