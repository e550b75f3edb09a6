package dev.vertlet.stages.play;

import java.time.Duration;
import java.time.Instant;

/**
 * Limit of the stages that one object goes through, for stages that lead to one another for ever.
 * Life cycles of workloads have less than ten.
 */
final class PlayRate {
  /** Stages without a limit. */
  static final int BURST = 20;

  /** Time in which one more is allowed. */
  static final Duration REFILL = Duration.ofSeconds(1);

  private int left = BURST;
  private Instant since = Instant.MAX;

  /** Takes one, or returns how long to wait for it. */
  Duration take(Instant now) {
    if (left == BURST) {
      since = now;
    } else if (now.isAfter(since)) {
      long more = Math.min(BURST - left, Duration.between(since, now).dividedBy(REFILL));
      left += (int) more;
      since = left == BURST ? now : since.plus(REFILL.multipliedBy(more));
    }
    if (left > 0) {
      left--;
      return Duration.ZERO;
    }
    Duration waited = Duration.between(since, now);
    return waited.isNegative() ? REFILL : REFILL.minus(waited);
  }
}
