package dev.vertlet.harness.run;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** Recent rate of work per second. Not thread-safe. */
final class SlidingRate {
  /** Window of the rate: long enough to be read, short enough to show a stall. */
  private static final long WINDOW_NANOS = TimeUnit.SECONDS.toNanos(3);

  private static final double NANOS_PER_SECOND = 1e9;
  private static final double FEW = 10;

  private record Mark(long nanos, long done) {}

  private final Deque<Mark> marks = new ArrayDeque<>();

  void reset() {
    marks.clear();
  }

  /** Records the total amount of work done at a time; times never decrease. */
  void add(long nanos, long done) {
    marks.addLast(new Mark(nanos, done));
    while (marks.size() > 2 && nanos - second().nanos() >= WINDOW_NANOS) {
      marks.removeFirst();
    }
  }

  private Mark second() {
    return marks.stream().skip(1).findFirst().orElseThrow();
  }

  /** The rate; 0 before two records. */
  double perSecond() {
    if (marks.size() < 2) {
      return 0;
    }
    Mark first = marks.getFirst();
    Mark last = marks.getLast();
    double seconds = (last.nanos() - first.nanos()) / NANOS_PER_SECOND;
    return seconds <= 0 ? 0 : (last.done() - first.done()) / seconds;
  }

  /** Formats the rate. */
  @Override
  public String toString() {
    double rate = perSecond();
    return String.format(Locale.ROOT, rate < FEW ? "%.1f/s" : "%,.0f/s", rate);
  }
}
