package dev.vertlet.harness.it;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;

/**
 * How late this machine lets a thread be that has nothing else to do: what no program on it can be
 * blamed for.
 */
final class MachineLag implements AutoCloseable {
  private static final long PERIOD_MILLIS = 50;

  private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();

  /** Nanoseconds; written by the timer's thread, read by the test's. */
  private final Collection<Long> lags = new ConcurrentLinkedQueue<>();

  private MachineLag() {}

  static MachineLag start() {
    MachineLag lag = new MachineLag();
    lag.arm();
    return lag;
  }

  private void arm() {
    long due = System.nanoTime() + MILLISECONDS.toNanos(PERIOD_MILLIS);
    var unused =
        timer.schedule(
            () -> {
              lags.add(System.nanoTime() - due);
              arm();
            },
            PERIOD_MILLIS,
            MILLISECONDS);
  }

  /** The share of the turns so far that were late by no more than this. */
  double shareWithin(Duration limit) {
    long total = lags.size();
    return total == 0
        ? 0
        : (double) lags.stream().filter(lag -> lag <= limit.toNanos()).count() / total;
  }

  /** The latest turn of all so far. */
  Duration longest() {
    return Duration.ofNanos(lags.stream().mapToLong(Long::longValue).max().orElse(0));
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }
}
