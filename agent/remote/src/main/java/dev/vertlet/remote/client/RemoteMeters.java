package dev.vertlet.remote.client;

import dev.vertlet.meter.Metric;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

/** Meters of all shards of one agent that call a back end. Thread-safe. */
public final class RemoteMeters {
  private static final Metric CALLS =
      Metric.histogram(
          "vertlet_remote_call_duration_seconds",
          "seconds",
          "that calls of provider `remote` to its back end took, by operation of the contract and"
              + " HTTP status, `none` without an answer; of a stream or a session, its begin",
          "operation",
          "code");
  private static final Metric IN_FLIGHT =
      Metric.gauge(
          "vertlet_remote_calls_in_flight",
          "calls",
          "of provider `remote` to its back end without an answer yet");
  private static final Metric SILENCE =
      Metric.gauge(
          "vertlet_remote_stream_age_seconds",
          "seconds",
          "since the back end of provider `remote` last said something on its event stream, or"
              + " answered a poll; of the shard where that is longest ago");
  private static final Metric LISTS =
      Metric.counter(
          "vertlet_remote_lists_total",
          "lists",
          "of the back end's pods by provider `remote`: one at the start, and one whenever the"
              + " event stream could not be resumed; polls count as well");
  private static final Metric LOST =
      Metric.counter(
          "vertlet_remote_lost_pods_total",
          "pods",
          "of provider `remote` that their back end no longer had");

  private static final Duration[] BUCKETS =
      List.of(1L, 5L, 10L, 25L, 50L, 100L, 250L, 500L, 1000L, 2500L, 5000L, 10_000L, 30_000L)
          .stream()
          .map(Duration::ofMillis)
          .toArray(Duration[]::new);

  private final MeterRegistry registry;
  private final AtomicInteger inFlight = new AtomicInteger();
  private final List<LongSupplier> silences = new CopyOnWriteArrayList<>();
  private final Counter lists;
  private final Counter lostPods;

  public RemoteMeters(MeterRegistry registry) {
    this.registry = registry;
    this.lists = LISTS.counter(registry);
    this.lostPods = LOST.counter(registry);
    IN_FLIGHT.gauge(registry, inFlight::get);
    SILENCE.gauge(
        registry,
        () -> silences.stream().mapToLong(LongSupplier::getAsLong).max().orElse(0) / 1000.0);
  }

  /** Whether these are meters of this registry. */
  public boolean isOf(MeterRegistry other) {
    return registry == other;
  }

  /**
   * Adds a shard to the age of the streams.
   *
   * @param silence milliseconds since its stream said something; called on scraping threads
   */
  void stream(LongSupplier silence) {
    silences.add(silence);
  }

  /** Removes a shard whose stream has ended. */
  void streamEnded(LongSupplier silence) {
    silences.remove(silence);
  }

  /** Counts a list. */
  void listed() {
    lists.increment();
  }

  /** Counts a lost pod. */
  public void lost() {
    lostPods.increment();
  }

  /** Counts a call that begins now. */
  Started started(String operation) {
    inFlight.incrementAndGet();
    return new Started(operation, System.nanoTime());
  }

  /** A call in flight. */
  final class Started {
    private final String operation;
    private final long began;

    private Started(String operation, long began) {
      this.operation = operation;
      this.began = began;
    }

    /**
     * Counts its end.
     *
     * @param status HTTP status; empty without an answer
     */
    void ended(String status) {
      inFlight.decrementAndGet();
      Timer timer = CALLS.timer(registry, BUCKETS, operation, status.isEmpty() ? "none" : status);
      timer.record(System.nanoTime() - began, TimeUnit.NANOSECONDS);
    }
  }
}
