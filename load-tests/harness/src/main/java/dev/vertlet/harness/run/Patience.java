package dev.vertlet.harness.run;

import dev.vertlet.cli.FailedException;
import dev.vertlet.model.GoDuration;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * Waits on a command's thread: until something is done, until somebody wants the process to end, or
 * until the time for all of it is up.
 */
public final class Patience {
  /** Often enough for a progress bar to look alive. */
  private static final long TICK_MILLIS = 100;

  private final CompletableFuture<Void> ended;
  private final Duration timeout;
  private final long deadline;

  private Patience(CompletableFuture<Void> ended, Duration timeout, long deadline) {
    this.ended = ended;
    this.timeout = timeout;
    this.deadline = deadline;
  }

  /**
   * @param ended completes when somebody wants the process to end
   * @param timeout for everything together, from now on
   */
  public static Patience begin(CompletionStage<Void> ended, Duration timeout) {
    return new Patience(
        ended.toCompletableFuture(), timeout, System.nanoTime() + timeout.toNanos());
  }

  /** Whether time is up. */
  public boolean over() {
    return System.nanoTime() - deadline >= 0;
  }

  /** Waits, without an end of its own, until somebody wants the process to end. */
  public void untilEnded() {
    ended.join();
  }

  /** Waits for some work. */
  public <T> T await(CompletionStage<T> work, Supplier<String> missing)
      throws InterruptedException {
    return await(work, missing, () -> {});
  }

  /**
   * Waits for some work and calls {@code tick} now and then.
   *
   * @param missing what to say is missing when time is up
   * @throws FailedException when the work fails, or time is up
   * @throws StoppedException when somebody wants the process to end
   */
  public <T> T await(CompletionStage<T> work, Supplier<String> missing, Runnable tick)
      throws InterruptedException {
    CompletableFuture<T> awaited = work.toCompletableFuture();
    CompletableFuture<Object> either = CompletableFuture.anyOf(awaited, ended);
    try {
      while (!either.isDone()) {
        tick(either, missing);
        tick.run();
      }
      if (!awaited.isDone()) {
        throw new StoppedException();
      }
      return awaited.get();
    } catch (ExecutionException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      throw cause instanceof FailedException failed
          ? failed
          : new FailedException(String.valueOf(cause.getMessage()), cause);
    }
  }

  private void tick(CompletableFuture<?> either, Supplier<String> missing)
      throws InterruptedException, ExecutionException {
    long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
    if (left <= 0) {
      throw new FailedException(
          "not done within the --timeout of %s: %s"
              .formatted(GoDuration.format(timeout), missing.get()));
    }
    try {
      either.get(Math.min(left, TICK_MILLIS), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      // time for the next tick
    }
  }
}
