package dev.vertlet.testsupport;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** A clock that only a test moves. Thread-safe: event loops may read it meanwhile. */
public final class ManualClock extends Clock {
  private Instant now;

  public ManualClock(Instant now) {
    this.now = now;
  }

  public synchronized void advance(Duration by) {
    now = now.plus(by);
  }

  public synchronized void set(Instant time) {
    now = time;
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
