package dev.vertlet.metrics;

import dev.vertlet.meter.Metric;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Metrics of one kind of runtime call. */
final class OperationMeter {
  private static final Metric OPERATIONS =
      Metric.counter(
          "kubelet_runtime_operations_total",
          "calls",
          "of a container runtime that are over, by a kubelet's operation names. `exec_sync` are"
              + " probes and hooks that run a command; sessions count as requests above",
          "operation_type");
  private static final Metric DURATION =
      Metric.histogram(
          "kubelet_runtime_operations_duration_seconds",
          "seconds",
          "that they took",
          "operation_type");
  private static final Metric ERRORS =
      Metric.counter(
          "kubelet_runtime_operations_errors_total",
          "calls",
          "that failed, also because the runtime does not support it",
          "operation_type");

  private final Timer duration;
  private final Counter errors;

  OperationMeter(MeterRegistry registry, String type, Duration[] buckets) {
    duration = DURATION.timer(registry, buckets, type);
    // reuses the duration's count at no extra cost
    var unused = OPERATIONS.counter(registry, duration, Timer::count, type);
    errors = ERRORS.counter(registry, type);
  }

  /**
   * Records the start of a call and, later, its end.
   *
   * @param began start of the call in {@link System#nanoTime}
   * @param answer result of the call, completed on any thread
   * @return the result
   */
  <T> Future<T> began(long began, Future<T> answer) {
    if (answer.isComplete()) {
      ended(began, answer.failed());
      return answer;
    }
    return answer.onComplete(done -> ended(began, done.failed()));
  }

  private void ended(long began, boolean failed) {
    duration.record(System.nanoTime() - began, TimeUnit.NANOSECONDS);
    if (failed) {
      errors.increment();
    }
  }
}
