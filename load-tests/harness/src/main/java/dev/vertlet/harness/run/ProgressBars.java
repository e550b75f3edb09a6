package dev.vertlet.harness.run;

import java.io.PrintStream;
import java.util.function.LongSupplier;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

/** Shows one bar per step. Not thread-safe. */
final class ProgressBars implements Progress {
  private static final int UPDATE_MILLIS = 100;

  /** The library's value for an unknown total. */
  private static final int UNKNOWN = -1;

  /** Moves to the beginning of the line and clears it. */
  private static final String WIPE = "\r\u001b[K";

  private final PrintStream out;
  private final int width;
  private final LongSupplier nanoTime;
  private final SlidingRate rate = new SlidingRate();

  private @Nullable ProgressBar bar;

  /**
   * @param columns width of the terminal
   * @param nanoTime monotonic clock
   */
  ProgressBars(PrintStream out, int columns, LongSupplier nanoTime) {
    this.out = out;
    // on some terminals, a full line starts the next one
    this.width = columns - 1;
    this.nanoTime = nanoTime;
  }

  @Override
  public void begin(String step, long total) {
    close();
    rate.reset();
    rate.add(nanoTime.getAsLong(), 0);
    bar =
        new ProgressBarBuilder()
            .setTaskName(step)
            .setInitialMax(total == 0 ? UNKNOWN : total)
            .setStyle(ProgressBarStyle.ASCII)
            .setConsumer(new ConsoleProgressBarConsumer(out, width))
            .setUpdateIntervalMillis(UPDATE_MILLIS)
            .build();
  }

  @Override
  public void at(long done, String detail) {
    if (bar == null) {
      return;
    }
    rate.add(nanoTime.getAsLong(), done);
    bar.stepTo(done);
    bar.setExtraMessage(" " + rate + (detail.isEmpty() ? "" : ", " + detail));
  }

  /** Prints above the bar, which then redraws itself. */
  @Override
  public void happened(String what) {
    if (bar == null) {
      out.println(what);
    } else {
      bar.pause();
      out.println(WIPE + what);
      bar.resume();
    }
  }

  @Override
  public void close() {
    if (bar != null) {
      bar.close();
      bar = null;
    }
  }
}
