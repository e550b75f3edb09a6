package dev.vertlet.kube;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.function.LongSupplier;

/**
 * The time of day for deadlines and ages: it never goes back and never leaps. When the machine's
 * clock is set it goes by that again only after a while, a quarter faster or slower until then:
 * what is due comes neither at once nor an hour late. A machine that slept, or had no idea of the
 * date, gets the time at once.
 *
 * <p>Callable from any thread.
 */
public final class SteadyClock extends Clock {
  /** Of the time that passes, how much is given to come nearer to the wall clock. */
  private static final int SHARE = 4;

  /** More than a clock that went is set forward by; so much time was really missed. */
  private static final Duration LEAP = Duration.ofHours(2);

  private static final Clock MACHINE = new SteadyClock(systemUTC(), System::nanoTime);

  private final Clock wall;
  private final LongSupplier nanos;
  private final Object lock = new Object(); // between all threads that ask for the time
  private Instant last;
  private long lastNanos;

  /** Of this machine, the same for all who ask. */
  public static Clock ofMachine() {
    return MACHINE;
  }

  /**
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

  /** The zone matters to nobody who asks for deadlines. */
  @Override
  public Clock withZone(ZoneId zone) {
    return zone.equals(getZone()) ? this : new SteadyClock(wall.withZone(zone), nanos);
  }
}
