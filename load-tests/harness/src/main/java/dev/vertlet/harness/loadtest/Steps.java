package dev.vertlet.harness.loadtest;

import dev.vertlet.harness.run.Patience;
import dev.vertlet.harness.run.Progress;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;

/**
 * Waits for one step after the other and shows how far each is.
 *
 * @param title before the name of every step; empty for none
 */
record Steps(String title, Patience patience, Progress progress) {
  /**
   * @param total of what {@code done} counts; 0 where nobody knows
   * @param check called now and then, to fail when there is no use in waiting
   */
  <T> T await(String step, long total, CompletionStage<T> work, LongSupplier done, Runnable check)
      throws InterruptedException {
    progress.begin(title + step, total);
    T result =
        patience.await(
            work,
            () -> "%s: %d of %d".formatted(title + step, done.getAsLong(), total),
            () -> {
              check.run();
              progress.at(done.getAsLong());
            });
    progress.at(Math.max(total, done.getAsLong()));
    return result;
  }
}
