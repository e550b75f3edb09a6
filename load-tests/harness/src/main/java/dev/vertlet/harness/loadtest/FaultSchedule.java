package dev.vertlet.harness.loadtest;

import static java.util.concurrent.TimeUnit.NANOSECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;

import dev.vertlet.cli.FailedException;
import dev.vertlet.harness.result.RunResult.FaultRecord;
import dev.vertlet.harness.scenario.ScheduledFault;
import dev.vertlet.model.GoDuration;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;

/**
 * Injects faults at their times. A timer thread starts them. Slow steps, such as restarts, have one
 * thread for the API server and one for the subject, so that they delay no other fault. These
 * threads write the records and the command's thread reads them, hence the monitor.
 */
final class FaultSchedule implements Faults.Stage, AutoCloseable {
  /** Limit for a restart in progress: a half-started server cannot be stopped cleanly. */
  private static final int CLOSE_SECONDS = 60;

  private static final double NANOS_PER_SECOND = 1e9;

  private final ScheduledExecutorService timer = thread("faults");
  private final ScheduledExecutorService apiServer = thread("api-server-restarts");
  private final ScheduledExecutorService subject = thread("subject-restarts");
  private final CompletableFuture<Void> failure = new CompletableFuture<>();
  private final List<FaultRecord> records = new ArrayList<>();

  /** Faults that have not happened yet; compared by identity, because two may be equal. */
  private final Set<ScheduledFault> waiting =
      Collections.synchronizedSet(Collections.newSetFromMap(new IdentityHashMap<>()));

  private final long start = System.nanoTime();
  private int told;

  /** Starts the schedule; the times of the faults count from now. */
  static FaultSchedule begin(List<ScheduledFault> scheduled, Faults faults) {
    FaultSchedule schedule = new FaultSchedule();
    for (ScheduledFault fault : scheduled) {
      schedule.waiting.add(fault);
      Runnable happening =
          () -> {
            schedule.waiting.remove(fault);
            schedule.guarded(() -> faults.apply(fault.kind(), schedule));
          };
      long at = fault.at().toNanos();
      if (fault.every().isZero()) {
        schedule.timer.schedule(happening, at, NANOSECONDS);
      } else {
        schedule.timer.scheduleAtFixedRate(happening, at, fault.every().toNanos(), NANOSECONDS);
      }
    }
    return schedule;
  }

  private static ScheduledExecutorService thread(String name) {
    return Executors.newSingleThreadScheduledExecutor(
        task -> {
          Thread thread = new Thread(task, name);
          thread.setDaemon(true);
          return thread;
        });
  }

  /** All faults that have happened, in order. */
  synchronized List<FaultRecord> records() {
    return List.copyOf(records);
  }

  /** Faults that have happened since the last call. */
  synchronized List<String> news() {
    List<String> news =
        records.subList(told, records.size()).stream().map(FaultRecord::what).toList();
    told = records.size();
    return news;
  }

  /**
   * @throws FailedException when a fault could not be injected or ended
   */
  void requireFine() {
    if (failure.isCompletedExceptionally()) {
      throw failure
          .handle((nothing, e) -> new FailedException("a fault went wrong: " + message(e), e))
          .join();
    }
  }

  private static String message(Throwable failure) {
    return failure.getMessage() == null ? failure.toString() : failure.getMessage();
  }

  /** Records the faults that did not happen before the end of the run. */
  void tellMissed() {
    for (ScheduledFault fault : List.copyOf(waiting)) {
      happened(
          "did not happen, the run was over before %s: %s"
              .formatted(GoDuration.format(fault.at()), name(fault.kind())));
    }
  }

  /** Name of the fault in scenarios. */
  private static String name(ScheduledFault.Kind kind) {
    String type = kind.getClass().getSimpleName();
    return type.substring(0, 1).toLowerCase(Locale.ROOT) + type.substring(1);
  }

  @Override
  public synchronized void happened(String what) {
    records.add(new FaultRecord((System.nanoTime() - start) / NANOS_PER_SECOND, what));
  }

  @Override
  public void later(Duration delay, Faults.Step step) {
    try {
      timer.schedule(() -> guarded(step), delay.toNanos(), NANOSECONDS);
    } catch (RejectedExecutionException over) {
      // the proxy and all its faults end with the run
    }
  }

  @Override
  public void begun(Future<?> work) {
    work.onFailure(failure::completeExceptionally);
  }

  @Override
  public void onApiServer(Faults.Step step) {
    apiServer.execute(() -> guarded(step));
  }

  @Override
  public void onSubject(Faults.Step step) {
    subject.execute(() -> guarded(step));
  }

  private void guarded(Faults.Step step) {
    try {
      step.run();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      failure.completeExceptionally(e);
    }
  }

  /** Stops injecting faults; does not end a fault in force. */
  @Override
  public void close() throws InterruptedException {
    timer.shutdownNow();
    for (ScheduledExecutorService worker : List.of(apiServer, subject)) {
      worker.shutdownNow();
      if (!worker.awaitTermination(CLOSE_SECONDS, SECONDS)) {
        throw new FailedException("a restart does not end within %d s".formatted(CLOSE_SECONDS));
      }
    }
  }
}
