package dev.vertlet.lease;

import dev.vertlet.meter.Metric;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/** Counts lost leases. Confined to the verticle's context. */
final class LeaseMeters {
  private static final Metric LOST =
      Metric.counter(
          "vertlet_leases_lost_total",
          "leases",
          "that the agent held and lost without giving them away. `not_renewed`: the API server took no"
              + " renewal in time; `provider`: the node's provider did not answer, so that none was"
              + " sent; `taken`: somebody else has the lease. All three are there from the start",
          "reason");

  private final Map<LeaseLoss, Counter> lost = new EnumMap<>(LeaseLoss.class);

  LeaseMeters(MeterRegistry registry) {
    for (LeaseLoss loss : LeaseLoss.values()) {
      lost.put(loss, LOST.counter(registry, loss.name().toLowerCase(Locale.ROOT)));
    }
  }

  @SuppressWarnings("NullAway") // the constructor fills every loss
  void lost(LeaseLoss loss) {
    lost.get(loss).increment();
  }
}
