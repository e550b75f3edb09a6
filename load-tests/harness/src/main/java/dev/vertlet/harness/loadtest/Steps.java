package dev.vertlet.harness.loadtest;

import dev.vertlet.harness.run.Patience;
import dev.vertlet.harness.run.Progress;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * Waits for the steps of a run and shows their progress.
 *
 * @param title prefix of the name of every step; empty for none
 */
record Steps(String title, Patience patience, Progress progress) {
  /**
   * Progress of a step.
   *
   * @param detail additional text
   */
  record At(long done, String detail) {}

  /**
   * @param total total amount of work; 0 if unknown
   * @param at supplies the progress at intervals; throws when waiting is pointless
   * @param whenOverdue supplies additional text for the timeout
   */
  <T> T await(
      String step,
      long total,
      CompletionStage<T> work,
      Supplier<At> at,
      Supplier<String> whenOverdue)
      throws InterruptedException {
    progress.begin(title + step, total);
    T result =
        patience.await(
            work,
            () ->
                "%s: %d of %d; %s"
                    .formatted(title + step, at.get().done(), total, whenOverdue.get()),
            () -> show(at.get()));
    At end = at.get();
    progress.at(Math.max(total, end.done()), end.detail());
    return result;
  }

  private void show(At at) {
    progress.at(at.done(), at.detail());
  }
}
