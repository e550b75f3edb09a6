package dev.vertlet.auth;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** A clock that a test sets. */
final class SetClock extends Clock {
  private volatile Instant now; // set by tests, read by loops

  SetClock(Instant now) {
    this.now = now;
  }

  void pass(Duration time) {
    Instant before = now;
    now = before.plus(time);
  }

  void set(Instant time) {
    now = time;
  }

  @Override
  public Instant instant() {
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
