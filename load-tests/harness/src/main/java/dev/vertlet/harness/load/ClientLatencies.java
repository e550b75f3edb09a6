package dev.vertlet.harness.load;

import dev.vertlet.harness.measure.LatencyHistogram;
import dev.vertlet.harness.result.servicelevel.RequestKind;
import dev.vertlet.harness.result.servicelevel.RequestLatency;
import dev.vertlet.harness.result.servicelevel.Source;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.cumulative.CumulativeTimer;
import io.micrometer.core.instrument.distribution.DistributionStatisticConfig;
import io.micrometer.core.instrument.distribution.pause.PauseDetector;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Meters of the load's client that keep the exact distribution of its requests' durations, from
 * leaving the client's queue to the last byte. Written and read on the load's event loop.
 */
final class ClientLatencies extends SimpleMeterRegistry {
  private static final String DURATION = "rest_client_request_duration_seconds";

  private final Map<Meter.Id, LatencyHistogram> durations = new LinkedHashMap<>();

  @Override
  protected Timer newTimer(Meter.Id id, DistributionStatisticConfig config, PauseDetector pauses) {
    if (!id.getName().equals(DURATION)) {
      return super.newTimer(id, config, pauses);
    }
    LatencyHistogram taken = new LatencyHistogram();
    durations.put(id, taken);
    return new CumulativeTimer(id, clock, config, pauses, getBaseTimeUnit(), false) {
      @Override
      protected void recordNonNegative(long amount, TimeUnit unit) {
        super.recordNonNegative(amount, unit);
        taken.record(unit.toNanos(amount));
      }
    };
  }

  /** Forgets all durations so far. */
  void reset() {
    durations.values().forEach(LatencyHistogram::reset);
  }

  /**
   * Latencies of all kinds of requests. The load creates, changes and deletes single objects, and
   * lists in the whole cluster.
   */
  List<RequestLatency> latencies() {
    List<RequestLatency> latencies = new ArrayList<>();
    durations.forEach(
        (id, histogram) -> {
          if (histogram.count() > 0) {
            String verb = String.valueOf(id.getTag("verb"));
            latencies.add(
                histogram.of(
                    RequestKind.ofClient(
                        verb, String.valueOf(id.getTag("resource")), !verb.equals("list"), ""),
                    Source.LOAD));
          }
        });
    return latencies;
  }
}
