package dev.vertlet.harness.loadtest;

import dev.vertlet.harness.run.Patience;
import dev.vertlet.harness.run.Progress;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * Waits for one step after the other and shows how far each is.
 *
 * @param title before the name of every step; empty for none
 */
record Steps(String title, Patience patience, Progress progress) {
  /**
   * How far a step is.
   *
   * @param detail what else is known
   */
  record At(long done, String detail) {}

  /**
   * @param total of what is done; 0 where nobody knows
   * @param at asked for now and then; throws when there is no use in waiting
   * @param whenOverdue what else to tell when time is up
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
