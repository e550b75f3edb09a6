package dev.vertlet.harness.run;

import java.io.PrintStream;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** Prints a line per quarter of a step, and every 30 s, for logs. Not thread-safe. */
final class ProgressLines implements Progress {
  private static final int PARTS = 4;

  /** Longest time between lines, so that the log of a soak test shows progress. */
  private static final long QUIET_NANOS = TimeUnit.SECONDS.toNanos(30);

  private final PrintStream out;
  private final LongSupplier nanoTime;
  private final SlidingRate rate = new SlidingRate();
  private String step = "";
  private long total;
  private long toldParts;
  private long toldNanos;

  /**
   * @param nanoTime monotonic clock
   */
  ProgressLines(PrintStream out, LongSupplier nanoTime) {
    this.out = out;
    this.nanoTime = nanoTime;
  }

  @Override
  public void begin(String newStep, long newTotal) {
    step = newStep;
    total = newTotal;
    toldParts = 0;
    toldNanos = nanoTime.getAsLong();
    rate.reset();
    rate.add(toldNanos, 0);
  }

  @Override
  public void at(long done, String detail) {
    long now = nanoTime.getAsLong();
    rate.add(now, done);
    long parts = total == 0 ? 0 : done * PARTS / total;
    if (parts > toldParts || now - toldNanos >= QUIET_NANOS) {
      toldParts = parts;
      toldNanos = now;
      out.println(line(done, detail));
    }
  }

  private String line(long done, String detail) {
    String of = total == 0 ? "" : "/" + total;
    String line = "%s %d%s, %s".formatted(step, done, of, rate);
    return detail.isEmpty() ? line : line + ", " + detail;
  }

  @Override
  public void happened(String what) {
    out.println(what);
  }

  @Override
  public void close() {}
}
