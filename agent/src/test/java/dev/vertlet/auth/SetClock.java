package dev.vertlet.auth;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.concurrent.atomic.AtomicReference;

/** A clock that a test sets. */
final class SetClock extends Clock {
  private final AtomicReference<Instant> now;

  SetClock(Instant now) {
    this.now = new AtomicReference<>(now);
  }

  void pass(Duration time) {
    now.updateAndGet(before -> before.plus(time));
  }

  void set(Instant time) {
    now.set(time);
  }

  @Override
  public Instant instant() {
    return now.get();
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
