package dev.vertlet.harness.loadtest;

import dev.vertlet.harness.fault.TrafficLog;
import dev.vertlet.harness.result.Traffic;

/** Converts a proxy's counters into a result. */
final class TrafficCount {
  private TrafficCount() {}

  /** All traffic so far. */
  static Traffic of(TrafficLog log) {
    return new Traffic(
            log.counters().entrySet().stream()
                .map(entry -> requests(entry.getKey(), entry.getValue()))
                .toList(),
            log.bytesToServer(),
            log.bytesToClient())
        .since(Traffic.NONE);
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
