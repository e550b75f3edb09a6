package dev.vertlet.server;

import dev.vertlet.http.CloseReason;
import dev.vertlet.http.RefusedConnections;
import dev.vertlet.meter.Metric;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongSupplier;
import org.slf4j.Logger;

/**
 * Counts connections of one server that were closed before admission, and logs at most one line per
 * minute. Confined to the server's context.
 */
public final class RefusalMeter implements RefusedConnections {
  private static final Metric REFUSED =
      Metric.counter(
          "vertlet_server_connections_refused_total",
          "connections",
          "closed, or requests reset, before they were admitted. `server`: `kubelet`, `readOnly`, `health`,"
              + " `sandbox`. `reason`: `max_connections`, `unadmitted_bytes`,"
              + " `head_timeout`, `admission_timeout`",
          "server",
          "reason");

  private final Map<CloseReason, Counter> counters = new EnumMap<>(CloseReason.class);
  private final RateLimitedLog log;

  /**
   * @param server value of the metric's label
   * @param nanos monotonic nanoseconds
   */
  public RefusalMeter(String server, MeterRegistry registry, Logger log, LongSupplier nanos) {
    for (CloseReason reason : CloseReason.values()) {
      counters.put(reason, REFUSED.counter(registry, server, reason.label()));
    }
    this.log = new RateLimitedLog(log, "a connection is closed before it is admitted", nanos);
  }

  @Override
  public void closed(CloseReason reason, String client) {
    Objects.requireNonNull(counters.get(reason)).increment();
    boolean crowded =
        reason == CloseReason.MAX_CONNECTIONS || reason == CloseReason.UNADMITTED_BYTES;
    if (crowded) { // slow and silent clients are not logged
      log.warn(client, reason.label());
    }
  }
}
