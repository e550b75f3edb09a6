package dev.vertlet.loop;

import java.time.Duration;
import java.util.Optional;

/**
 * Failed tries of an operation that is tried again. Exists from the first failure until the
 * operation succeeds or is replaced, so that pods without failures have none. Times are monotonic
 * nanoseconds.
 */
public final class FailedTries {
  /** Decides about the next try, as a {@link dev.vertlet.provider.failure.RetryPolicy} does. */
  @FunctionalInterface
  public interface Retry {
    /**
     * Returns the delay before the next try; empty to give up.
     *
     * @param failures number of failures until now
     * @param elapsed since the first try began
     */
    Optional<Duration> next(int failures, Duration elapsed);
  }

  private final long began;
  private int count;
  private long due;

  /**
   * Creates the state before the first failure is counted.
   *
   * @param began when the first try began
   */
  public FailedTries(long began) {
    this.began = began;
  }

  /** Counts another failure; returns the number of failures. */
  public int failed() {
    return ++count;
  }

  /** Returns the time since the first try began. */
  public Duration elapsed(long now) {
    return Duration.ofNanos(now - began);
  }

  /** Sets the time before which there is no further try. */
  public void due(long time) {
    due = time;
  }

  /** Returns the time until the next try; zero or negative if it is due. */
  public Duration left(long now) {
    return Duration.ofNanos(due - now);
  }
}
