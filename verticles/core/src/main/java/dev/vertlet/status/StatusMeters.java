package dev.vertlet.status;

import dev.vertlet.bus.NotWritten;
import dev.vertlet.meter.Metric;
import dev.vertlet.model.PodRef;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counts and logs reported statuses that are not written. */
final class StatusMeters {
  private static final Logger LOG = LoggerFactory.getLogger(StatusMeters.class);

  private static final Metric NOT_WRITTEN =
      Metric.counter(
          "vertlet_pod_statuses_not_written_total",
          "statuses",
          "of pods that their provider reported and that were not written to the API server, by"
              + " reason: `unchanged`, `superseded`, `object_deleted`, `phase_final`, `pod_gone`,"
              + " `mirror_missing`, `node_not_served`, `refused`, `given_up` or `stopping`. All are"
              + " there from the start",
          "reason");

  private final Map<NotWritten, Counter> counters = new EnumMap<>(NotWritten.class);

  StatusMeters(MeterRegistry registry) {
    for (NotWritten reason : NotWritten.values()) {
      counters.put(reason, NOT_WRITTEN.counter(registry, reason.text()));
    }
  }

  @SuppressWarnings("NullAway") // the constructor fills every reason
  void notWritten(PodRef pod, NotWritten reason) {
    counters.get(reason).increment();
    LOG.atDebug()
        .addKeyValue("pod", pod.display())
        .addKeyValue("podUid", pod.uid())
        .addKeyValue("reason", reason.text())
        .log("pod status not written");
  }
}
