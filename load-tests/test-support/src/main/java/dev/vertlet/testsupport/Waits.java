package dev.vertlet.testsupport;

import static org.awaitility.pollinterval.IterativePollInterval.iterative;

import io.vertx.core.Future;
import java.net.ConnectException;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.awaitility.Awaitility;
import org.awaitility.core.ThrowingRunnable;
import org.jspecify.annotations.Nullable;

/**
 * Waits for expected results. All waits have one limit, {@link #LONG}: it ends a hanging test and
 * asserts nothing about speed. Used by the test's thread; each method blocks.
 *
 * <p>{@link WaitsSession} gives Awaitility the same limit, so {@code await().until(…)} needs none.
 */
public final class Waits {
  /** Name of the system property that scales {@link #LONG}; a positive number, 1 by default. */
  static final String PATIENCE = "vertlet.test.patience";

  /** Limit of every wait: 60 s times {@code -Dvertlet.test.patience}. */
  public static final Duration LONG = limit(System.getProperty(PATIENCE, "1"));

  /** First pause between two checks of a condition; each pause is twice the one before. */
  private static final Duration FIRST_PAUSE = Duration.ofMillis(10);

  private static final Duration LONGEST_PAUSE = Duration.ofMillis(40);

  private Waits() {}

  static Duration limit(String patience) {
    double factor;
    try {
      factor = Double.parseDouble(patience);
    } catch (NumberFormatException e) {
      factor = Double.NaN;
    }
    if (!(factor > 0 && factor <= 1000)) {
      throw new IllegalArgumentException(
          "-D%s=%s: must be a number above 0 and at most 1000".formatted(PATIENCE, patience));
    }
    return Duration.ofMillis((long) (60_000 * factor));
  }

  /** Returns the result of a Future; throws the Future's failure. */
  public static <T> T get(Future<T> future) {
    try {
      return future.await(LONG.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      throw late(LONG, "a Future completes", e);
    }
  }

  /** Returns the result of a JDK Future. */
  public static <T> T get(java.util.concurrent.Future<T> future)
      throws ExecutionException, InterruptedException {
    try {
      return future.get(LONG.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      throw late(LONG, "a Future completes", e);
    }
  }

  /** Takes the next element of a queue. */
  public static <T> T take(BlockingQueue<T> queue) throws InterruptedException {
    T next = queue.poll(LONG.toMillis(), TimeUnit.MILLISECONDS);
    if (next == null) {
      throw late(LONG, "a queue has an element", null);
    }
    return next;
  }

  /** Waits until a latch is open. */
  public static void open(CountDownLatch latch) throws InterruptedException {
    if (!latch.await(LONG.toMillis(), TimeUnit.MILLISECONDS)) {
      throw late(LONG, "a latch opens, " + latch.getCount() + " to go", null);
    }
  }

  /** Returns the exit code of a process; kills the process if it does not end. */
  public static int exit(Process process) throws InterruptedException {
    return exit(process, LONG);
  }

  /** As {@link #exit(Process)}, for a process that may take longer. */
  public static int exit(Process process, Duration limit) throws InterruptedException {
    if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
      String command = process.info().commandLine().orElse("a process");
      process.destroyForcibly();
      throw late(limit, command + " ends", null);
    }
    return process.exitValue();
  }

  /** Ends a process with SIGTERM; after 10 s kills it and its children. */
  public static void end(Process process) throws InterruptedException {
    process.destroy();
    if (!process.waitFor(10, TimeUnit.SECONDS)) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      int unused = process.destroyForcibly().waitFor();
    }
  }

  /** Waits until an assertion holds. A server that refuses connections does not listen yet. */
  public static void eventually(ThrowingRunnable assertion) {
    Awaitility.await()
        .ignoreExceptionsInstanceOf(ConnectException.class)
        .atMost(LONG)
        .pollDelay(Duration.ZERO)
        .pollInterval(iterative(Waits::longer, FIRST_PAUSE))
        .untilAsserted(assertion);
  }

  private static Duration longer(Duration pause) {
    return pause.compareTo(LONGEST_PAUSE) < 0 ? pause.multipliedBy(2) : pause;
  }

  private static AssertionError late(Duration limit, String what, @Nullable Throwable e) {
    return new AssertionError("waited " + limit.toSeconds() + " s in vain until " + what, e);
  }
}
