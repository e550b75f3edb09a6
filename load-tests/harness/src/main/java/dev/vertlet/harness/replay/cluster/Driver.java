package dev.vertlet.harness.replay.cluster;

import dev.vertlet.harness.measure.LatencyHistogram;
import dev.vertlet.harness.replay.plan.Step;
import dev.vertlet.harness.result.Latencies;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * Makes the steps of a plan when they are due, those of one subject one after the other. Confined
 * to one event loop. A step that fails is noted, and the others go on.
 */
public final class Driver {
  /** Failures in a report: enough to see what they have in common. */
  private static final int NAMED = 10;

  /**
   * Steps whose answers are awaited at once: fewer than the requests of the client, so that the
   * request of a step leaves when the step is made and its lateness is the true one.
   */
  static final int WINDOW = 200;

  /** Share of a replay's length that the driver may be late without a note. */
  private static final double BEHIND = 0.01;

  /** Clock and timer, in milliseconds. */
  public interface Timers {
    /** Time of a steady clock. */
    long now();

    /** Calls back once after a delay of 1 or more. */
    void after(long millis, Runnable task);
  }

  private final List<Step> steps;
  private final Timers timers;
  private final Function<Step, Future<?>> performer;
  private final Map<String, Future<?>> last = new HashMap<>();

  /** Steps that are due and wait for a place in the window. */
  private final Deque<Waiting> waiting = new ArrayDeque<>();

  private final LatencyHistogram lateness = new LatencyHistogram();
  private final List<String> failures = new ArrayList<>();
  private final Promise<Void> ended = Promise.promise();
  private long start;
  private long until;
  private int next;
  private int failed;
  private int awaited;
  private boolean performing;
  private boolean stopped;

  private record Waiting(Step step, Promise<Void> done) {}

  /**
   * @param steps in order of their times
   * @param performer sends the requests of a step; its Future completes when they are answered
   */
  public Driver(List<Step> steps, Timers timers, Function<Step, Future<?>> performer) {
    this.steps = List.copyOf(steps);
    this.timers = timers;
    this.performer = performer;
  }

  /**
   * Starts the clock.
   *
   * @param millis length of the replay
   * @return completes at the end of the replay, whether or not all steps are done; never fails
   */
  public Future<Void> run(long millis) {
    start = timers.now();
    until = millis;
    tick();
    return ended.future();
  }

  /** Makes no more steps; {@link #run} completes. */
  public void stop() {
    stopped = true;
    ended.tryComplete();
  }

  /** Milliseconds since the start. */
  public long elapsed() {
    return timers.now() - start;
  }

  private void tick() {
    if (stopped) {
      return;
    }
    long elapsed = elapsed();
    while (next < steps.size() && steps.get(next).at() <= elapsed) {
      enqueue(steps.get(next++));
    }
    if (elapsed >= until) {
      ended.tryComplete();
      return;
    }
    long due = next < steps.size() ? Math.min(until, steps.get(next).at()) : until;
    timers.after(Math.max(1, due - elapsed()), this::tick);
  }

  private void enqueue(Step step) {
    Future<?> before = last.getOrDefault(step.subject(), Future.succeededFuture());
    Promise<Void> done = Promise.promise();
    last.put(step.subject(), done.future());
    before.onComplete(
        over -> {
          waiting.add(new Waiting(step, done));
          perform();
        });
  }

  private void perform() {
    if (performing) {
      // an answer that was there at once: the loop below goes on
      return;
    }
    performing = true;
    while (awaited < WINDOW && !waiting.isEmpty()) {
      Waiting next = waiting.remove();
      if (stopped) {
        next.done.complete();
        continue;
      }
      Step step = next.step;
      lateness.record(TimeUnit.MILLISECONDS.toNanos(elapsed() - step.at()));
      awaited++;
      performer
          .apply(step)
          .onFailure(failure -> failed(step, failure))
          .onComplete(
              answered -> {
                awaited--;
                next.done.complete();
                perform();
              });
    }
    performing = false;
  }

  private void failed(Step step, Throwable failure) {
    failed++;
    if (failures.size() < NAMED) {
      failures.add(
          "%s of %s: %s"
              .formatted(step.getClass().getSimpleName(), step.subject(), failure.getMessage()));
    }
  }

  /** Number of steps whose requests have left. */
  public long done() {
    return lateness.count();
  }

  /** Number of steps that the plan has. */
  public int all() {
    return steps.size();
  }

  /** From when a step was due until its first request left. */
  public Latencies lateness() {
    return lateness.latencies();
  }

  /** Says by how much the driver was late if that distorts the replay; empty if it does not. */
  public Optional<String> behind() {
    double late = lateness().p99();
    return late <= BEHIND * until
        ? Optional.empty()
        : Optional.of(
            "the driver fell behind: 99 %% of the steps were at most %.1f s late, %.1f %% of the replay's %.1f s"
                .formatted(late / 1_000, 100 * late / Math.max(1, until), until / 1_000.0));
  }

  /** Number of failed steps. */
  public int failures() {
    return failed;
  }

  /** The first failures, each with its step. */
  public List<String> firstFailures() {
    return List.copyOf(failures);
  }
}
