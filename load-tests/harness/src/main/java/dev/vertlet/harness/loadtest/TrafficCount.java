package dev.vertlet.harness.loadtest;

import dev.vertlet.harness.fault.TrafficLog;
import dev.vertlet.harness.result.Traffic;
import java.util.Comparator;

/** Turns a proxy's counts into a result. */
final class TrafficCount {
  private TrafficCount() {}

  /** The most frequent requests first. */
  static Traffic of(TrafficLog log) {
    return new Traffic(
        log.counters().entrySet().stream()
            .map(entry -> requests(entry.getKey(), entry.getValue()))
            .sorted(
                Comparator.comparingLong(Traffic.Requests::count)
                    .reversed()
                    .thenComparing(Traffic.Requests::resource)
                    .thenComparing(Traffic.Requests::verb))
            .toList(),
        log.bytesToServer(),
        log.bytesToClient());
  }

  private static Traffic.Requests requests(TrafficLog.Key key, TrafficLog.Counters counters) {
    String resource =
        key.subresource().isEmpty() ? key.resource() : key.resource() + "/" + key.subresource();
    return new Traffic.Requests(
        key.verb(),
        resource,
        counters.requests(),
        counters.failures(),
        counters.requestBytes(),
        counters.responseBytes());
  }
}
