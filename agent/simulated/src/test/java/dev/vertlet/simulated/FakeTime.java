package dev.vertlet.simulated;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.Map;
import java.util.Map.Entry;

/** A clock that stands still until a test moves it, and the timers that go with it. */
public final class FakeTime extends Clock implements Timers {
  public static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  private final Map<Long, Timer> timers = new HashMap<>();
  private long now = START.toEpochMilli();
  private long lastId;

  @Override
  public long start(long delayMillis, Runnable action) {
    if (delayMillis < 1) {
      throw new IllegalArgumentException("delay must be at least 1, got " + delayMillis);
    }
    timers.put(++lastId, new Timer(now + delayMillis, action));
    return lastId;
  }

  @Override
  public void cancel(long id) {
    timers.remove(id);
  }

  /** Moves on, firing timers in order of time. */
  public void advance(Duration duration) {
    long until = now + duration.toMillis();
    while (true) {
      Entry<Long, Timer> next = null;
      for (Entry<Long, Timer> timer : timers.entrySet()) {
        if (timer.getValue().at <= until
            && (next == null || timer.getValue().at < next.getValue().at)) {
          next = timer;
        }
      }
      if (next == null) {
        now = until;
        return;
      }
      timers.remove(next.getKey());
      now = Math.max(now, next.getValue().at);
      next.getValue().action.run();
    }
  }

  /** Moves the clock without firing anything, as while the agent is down. */
  void jump(Duration duration) {
    now += duration.toMillis();
  }

  /** A crash: nothing set so far ever fires. */
  void forgetTimers() {
    timers.clear();
  }

  int pending() {
    return timers.size();
  }

  @Override
  public long millis() {
    return now;
  }

  @Override
  public Instant instant() {
    return Instant.ofEpochMilli(now);
  }

  @Override
  public ZoneId getZone() {
    return ZoneOffset.UTC;
  }

  @Override
  public Clock withZone(ZoneId zone) {
    throw new UnsupportedOperationException("tests use UTC");
  }

  private record Timer(long at, Runnable action) {}
}
