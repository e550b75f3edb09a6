package dev.vertlet.harness.it;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import dev.vertlet.testsupport.Waits;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.IntFunction;

/** Pods that come and go all the time, named {@code churn-0} and so on. */
final class Churn implements AutoCloseable {
  private static final long PERIOD_MILLIS = 200;

  /** So many are there at a time; the oldest goes when one comes. */
  private static final int STANDING = 100;

  private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
  private final TestPods pods;
  private final IntFunction<String> node;

  // of the timer's thread, until it has ended
  private final Deque<String> standing = new ArrayDeque<>();
  private final List<Throwable> failures = new ArrayList<>();
  private int created;

  private Churn(TestPods pods, IntFunction<String> node) {
    this.pods = pods;
    this.node = node;
  }

  /**
   * @param node of the pod of that number
   */
  static Churn start(TestPods pods, IntFunction<String> node) {
    Churn churn = new Churn(pods, node);
    var unused = churn.timer.scheduleWithFixedDelay(churn::turn, 0, PERIOD_MILLIS, MILLISECONDS);
    return churn;
  }

  private void turn() {
    try {
      String name = "churn-" + created;
      pods.create(name, node.apply(created));
      created++;
      standing.add(name);
      if (standing.size() > STANDING) {
        pods.delete(standing.remove());
      }
    } catch (RuntimeException e) {
      failures.add(e);
    }
  }

  /** Ends it; how many pods it has created. */
  int stop() throws InterruptedException {
    close();
    if (!timer.awaitTermination(Waits.LONG.toMillis(), MILLISECONDS)) {
      throw new AssertionError("a request for a pod does not end");
    }
    if (!failures.isEmpty()) {
      throw new AssertionError("a pod could not be created or deleted", failures.get(0));
    }
    return created;
  }

  /** How many of them stay, once it has ended. */
  int standing() {
    return standing.size();
  }

  @Override
  public void close() {
    timer.shutdown();
  }
}
