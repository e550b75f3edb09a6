package dev.vertlet.kube;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Decides when an API server that had trouble counts as back, so that what waits in back-off may
 * try at once. Pure.
 *
 * <p>A success after trouble is such a return. A server that answers one kind of request and fails
 * another would return without end, so the returns of one spell of trouble come at growing
 * distances: waiting requests are then tried a little more often than their own back-off does.
 */
public final class ReturnGate {
  /** Shortest distance of two returns, doubled for each further one of the same spell. */
  static final Duration SHORTEST = Duration.ofSeconds(1);

  static final Duration LONGEST = Duration.ofSeconds(8);

  /** A spell of trouble ends when this time passes without a return. */
  static final Duration SPELL = Duration.ofMinutes(1);

  private Instant last = Instant.MIN;
  private Duration distance = SHORTEST;
  private boolean trouble;
  private boolean pending;

  /** A request failed by the server's fault, or got no answer. */
  public void failed() {
    trouble = true;
  }

  /**
   * A request succeeded.
   *
   * @return the delay after which to ask {@link #due}, zero for now; empty if there is nothing to
   *     return from, or the delay of an earlier success is running
   */
  public Optional<Duration> succeeded(Instant now) {
    if (!trouble || pending) {
      return Optional.empty();
    }
    pending = true;
    Instant earliest = last.equals(Instant.MIN) ? now : last.plus(distance);
    return Optional.of(earliest.isAfter(now) ? Duration.between(now, earliest) : Duration.ZERO);
  }

  /**
   * The delay of {@link #succeeded} has passed.
   *
   * @param works whether the server answered well last
   * @return whether the server is back
   */
  public boolean due(Instant now, boolean works) {
    pending = false;
    if (!works || !trouble) {
      return false;
    }
    boolean same = !last.equals(Instant.MIN) && now.isBefore(last.plus(SPELL));
    Duration grown = distance.multipliedBy(2);
    distance = !same ? SHORTEST : grown.compareTo(LONGEST) > 0 ? LONGEST : grown;
    last = now;
    trouble = false;
    return true;
  }
}
