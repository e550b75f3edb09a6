package dev.vertlet.kube;

import java.time.Duration;
import java.time.Instant;

/**
 * Judges when a Lease of another holder expires. By the wall clock that is {@code renewTime} +
 * duration. If this machine's clock is behind the holder's, that may be hours away: a Lease also
 * expires when it has not been renewed for its duration since this process first saw its {@code
 * renewTime}, by the monotonic clock. Not thread-safe.
 */
public final class LeaseExpiry {
  private Instant renewTime = Instant.MIN;
  private long seenSince;

  /**
   * A read or a watch returned the Lease.
   *
   * @param renewed {@code renewTime}
   * @param nanos monotonic
   */
  public void observed(Instant renewed, long nanos) {
    if (!renewed.equals(renewTime)) {
      renewTime = renewed;
      seenSince = nanos;
    }
  }

  /**
   * Time until the Lease that was last observed expires; zero if it has expired.
   *
   * @param duration validity without a renewal
   * @param wall this machine's time
   * @param nanos monotonic
   */
  public Duration left(Duration duration, Instant wall, long nanos) {
    if (renewTime.equals(Instant.MIN)) {
      return Duration.ZERO;
    }
    Duration byWall = Duration.between(wall, renewTime.plus(duration));
    Duration bySilence = duration.minusNanos(nanos - seenSince);
    Duration left = byWall.compareTo(bySilence) < 0 ? byWall : bySilence;
    return left.isNegative() ? Duration.ZERO : left;
  }
}
