package dev.vertlet.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Measures the calls of a runtime that are of one kind. */
final class OperationMeter {
  private final Timer duration;
  private final Counter errors;

  OperationMeter(MeterRegistry registry, String type, Duration[] buckets) {
    duration =
        Timer.builder("kubelet.runtime.operations.duration")
            .description("Duration of runtime operations")
            .tag("operation_type", type)
            .serviceLevelObjectives(buckets)
            .register(registry);
    FunctionCounter.builder("kubelet.runtime.operations", duration, Timer::count)
        .description("Cumulative number of runtime operations that are over")
        .tag("operation_type", type)
        .register(registry);
    errors =
        Counter.builder("kubelet.runtime.operations.errors")
            .description("Cumulative number of runtime operations that failed")
            .tag("operation_type", type)
            .register(registry);
  }

  /**
   * A call has begun.
   *
   * @param began by the clock of {@link System#nanoTime}
   * @param answer on whatever thread it comes
   * @return the answer
   */
  <T> Future<T> began(long began, Future<T> answer) {
    if (answer.isComplete()) {
      ended(began, answer.failed());
      return answer;
    }
    return answer.onComplete(done -> ended(began, done.failed()));
  }

  /** A call is over. */
  void ended(long began, boolean failed) {
    duration.record(System.nanoTime() - began, TimeUnit.NANOSECONDS);
    if (failed) {
      errors.increment();
    }
  }
}
