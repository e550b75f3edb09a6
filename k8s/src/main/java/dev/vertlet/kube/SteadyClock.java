package dev.vertlet.kube;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.function.LongSupplier;

/**
 * Wall-clock time for deadlines and ages that never goes back and never leaps. When the machine's
 * clock is set, this clock approaches it at a quarter of the elapsed time, faster or slower:
 * deadlines are neither all due at once nor an hour late. After a sleep, or on a machine without a
 * valid date, it takes the new time immediately.
 *
 * <p>Callable from any thread.
 */
public final class SteadyClock extends Clock {
  /** Correction per elapsed time: one part in this many. */
  private static final int SHARE = 4;

  /** A larger gap forward is not a clock setting: the time has really passed. */
  private static final Duration LEAP = Duration.ofHours(2);

  private static final Clock MACHINE = new SteadyClock(systemUTC(), System::nanoTime);

  private final Clock wall;
  private final LongSupplier nanos;
  private final Object lock = new Object(); // shared by all calling threads
  private Instant last;
  private long lastNanos;

  /** The clock of this machine, one instance for all callers. */
  public static Clock ofMachine() {
    return MACHINE;
  }

  /**
   * Creates a clock.
   *
   * @param nanos monotonic
   */
  SteadyClock(Clock wall, LongSupplier nanos) {
    this.wall = wall;
    this.nanos = nanos;
    this.last = wall.instant();
    this.lastNanos = nanos.getAsLong();
  }

  @Override
  public Instant instant() {
    synchronized (lock) {
      long now = nanos.getAsLong();
      long passed = Math.max(0, now - lastNanos);
      Instant steady = last.plusNanos(passed);
      last = nearer(steady, wall.instant(), Duration.ofNanos(passed / SHARE));
      lastNanos = now;
      return last;
    }
  }

  private static Instant nearer(Instant from, Instant to, Duration limit) {
    Duration gap = Duration.between(from, to);
    if (gap.abs().compareTo(limit) <= 0 || gap.compareTo(LEAP) > 0) {
      return to;
    }
    return gap.isNegative() ? from.minus(limit) : from.plus(limit);
  }

  @Override
  public ZoneId getZone() {
    return wall.getZone();
  }

  /** Deadlines do not depend on the zone. */
  @Override
  public Clock withZone(ZoneId zone) {
    return zone.equals(getZone()) ? this : new SteadyClock(wall.withZone(zone), nanos);
  }
}
