package dev.vertlet.harness.run;

import dev.vertlet.cli.FailedException;
import dev.vertlet.model.GoDuration;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Waits on a command's thread until some work is done, the process is asked to end, or the time
 * limit of the command is reached.
 */
public final class Patience {
  /** Interval of {@code tick}, short enough for a live progress bar. */
  private static final long TICK_MILLIS = 100;

  private final CompletableFuture<Void> ended;
  private final Duration timeout;
  private final LongSupplier nanos;
  private long deadline;

  private Patience(CompletableFuture<Void> ended, Duration timeout, LongSupplier nanos) {
    this.ended = ended;
    this.timeout = timeout;
    this.nanos = nanos;
    this.deadline = nanos.getAsLong() + timeout.toNanos();
  }

  /**
   * @param ended completes when the process is asked to end
   * @param timeout time limit of all waits together, from now on
   */
  public static Patience begin(CompletionStage<Void> ended, Duration timeout) {
    return begin(ended, timeout, System::nanoTime);
  }

  /** For tests with a clock of their own. */
  static Patience begin(CompletionStage<Void> ended, Duration timeout, LongSupplier nanos) {
    return new Patience(ended.toCompletableFuture(), timeout, nanos);
  }

  /** Whether the time limit is reached. */
  public boolean over() {
    return nanos.getAsLong() - deadline >= 0;
  }

  /**
   * Does some work on the calling thread whose time does not count, as it is done once for many
   * commands.
   */
  public <T> T notCounting(Supplier<T> work) {
    long began = nanos.getAsLong();
    T done = work.get();
    deadline += nanos.getAsLong() - began;
    return done;
  }

  /** Waits without a time limit until the process is asked to end. */
  public void untilEnded() {
    ended.join();
  }

  /** Waits for some work. */
  public <T> T await(CompletionStage<T> work, Supplier<String> missing)
      throws InterruptedException {
    return await(work, missing, () -> {});
  }

  /**
   * Waits for some work and calls {@code tick} every 100 ms.
   *
   * @param missing describes the missing result for the timeout message
   * @throws FailedException when the work fails or the time limit is reached
   * @throws StoppedException when the process is asked to end
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
    long left = TimeUnit.NANOSECONDS.toMillis(deadline - nanos.getAsLong());
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
