package dev.vertlet.lease;

import dev.vertlet.kube.Backoff;
import dev.vertlet.kube.KubeException;
import java.time.Duration;
import java.util.random.RandomGenerator;

/** Times at which one lease is renewed, spread over the nodes and rounded to ticks. */
final class RenewalSchedule {
  /**
   * 200 ms doubling to 7 s, as kubelets retry a lease; with jitter, so that a thousand nodes do not
   * retry together.
   */
  private static final Backoff BACKOFF =
      new Backoff(Duration.ofMillis(200), Duration.ofSeconds(7), 2, 0.2);

  /**
   * Up to 4 % less than 10 s spreads the nodes; intervals are never longer than configured, except
   * by the duration of a request.
   */
  private static final double JITTER = 0.04;

  private final long tick;
  private final RandomGenerator random;
  private boolean first = true;

  /**
   * Creates a schedule.
   *
   * @param tick renewals of many nodes leave together at its multiples
   */
  RenewalSchedule(Duration tick, RandomGenerator random) {
    this.tick = tick.toNanos();
    this.random = random;
  }

  /**
   * Returns the time of the next renewal, rounded down to a tick.
   *
   * @param from time of the last renewal, monotonic nanoseconds
   */
  long next(LeaseOptions options, long from) {
    long at = from + interval(options.renewInterval());
    return at - Math.floorMod(at, tick);
  }

  /** Returns the delay before a request is retried after this many failures. */
  Duration retry(int failures, KubeException failure) {
    return BACKOFF.delay(failures, random, failure);
  }

  private long interval(Duration configured) {
    double base = configured.toNanos();
    if (first) {
      // spreads the renewals of nodes that start together
      first = false;
      return (long) (base * (0.3 + 0.7 * random.nextDouble()));
    }
    return (long) (base * (1 - JITTER * random.nextDouble()));
  }
}
