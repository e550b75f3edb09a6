package dev.vertlet.harness.run;

import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

/** One bar per step. Not thread-safe. */
final class ProgressBars implements Progress {
  private static final int UPDATE_MILLIS = 100;

  /** One less, as a full line makes some terminals begin the next. */
  private final int width = TerminalWidth.current() - 1;

  private @Nullable ProgressBar bar;

  @Override
  public void begin(String step, long total) {
    close();
    bar =
        new ProgressBarBuilder()
            .setTaskName(step)
            .setInitialMax(total)
            .setStyle(ProgressBarStyle.ASCII)
            .setConsumer(new ConsoleProgressBarConsumer(System.err, width))
            .setUpdateIntervalMillis(UPDATE_MILLIS)
            .build();
  }

  @Override
  public void at(long done) {
    if (bar != null) {
      bar.stepTo(done);
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
