package dev.vertlet.harness.result.servicelevel;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * Service levels of a run.
 *
 * @param levels outcome of each level, in their order
 * @param requests latencies from which they were judged, and of kinds without a level; those of the
 *     API server first
 */
public record ServiceLevels(List<LevelResult> levels, List<RequestLatency> requests) {
  public ServiceLevels {
    levels = List.copyOf(levels);
    requests = List.copyOf(requests);
  }

  /**
   * Judges by the slowest measurement of each level. The API server's own latencies end at its
   * network. Those of clients include what lies between, such as an injected delay, and therefore
   * judge, too: a service that its clients wait for too long has missed its level, wherever the
   * time went.
   *
   * @param startups number of pods that started
   * @param startupP99 99th percentile of their start-up in milliseconds
   */
  public static ServiceLevels judge(
      List<RequestLatency> requests, long startups, double startupP99) {
    List<LevelResult> levels =
        Arrays.stream(ServiceLevel.values())
            .map(
                level ->
                    level == ServiceLevel.POD_STARTUP
                        ? new LevelResult(
                            level,
                            startups,
                            startups == 0 ? Double.NaN : startupP99,
                            "",
                            Source.WATCH)
                        : judge(level, requests))
            .toList();
    return new ServiceLevels(levels, requests);
  }

  private static LevelResult judge(ServiceLevel level, List<RequestLatency> requests) {
    List<RequestLatency> own =
        requests.stream()
            .filter(
                latency ->
                    ServiceLevel.of(latency.kind()).filter(level::equals).isPresent()
                        && !Double.isNaN(latency.p99()))
            .toList();
    return own.stream()
        .max(Comparator.comparingDouble(RequestLatency::p99))
        .map(
            worst ->
                new LevelResult(
                    level, count(own), worst.p99(), worst.kind().name(), worst.source()))
        .orElseGet(() -> new LevelResult(level, 0, Double.NaN, "", Source.API_SERVER));
  }

  /** Requests of the place that saw the most: several places see the same requests. */
  private static long count(List<RequestLatency> own) {
    return Arrays.stream(Source.values())
        .mapToLong(
            source ->
                own.stream()
                    .filter(latency -> latency.source() == source)
                    .mapToLong(RequestLatency::count)
                    .sum())
        .max()
        .orElse(0);
  }

  /** Outcome of one level. */
  public LevelResult of(ServiceLevel level) {
    return levels.stream()
        .filter(outcome -> outcome.level() == level)
        .findFirst()
        .orElseGet(() -> new LevelResult(level, 0, Double.NaN, "", Source.API_SERVER));
  }
}
