package dev.vertlet.config;

import java.time.Duration;

/**
 * Node status and the health of back ends.
 *
 * @param updateFrequency how often the status is computed, 1 s to 1 h
 * @param reportFrequency how often it is written unchanged, {@code updateFrequency} to 24 h
 * @param pingInterval how often the back end is asked whether it is alive, 100 ms to 1 h
 * @param pingTimeout how long it may take to answer, 100 ms to 10 min
 */
public record NodeStatusConfig(
    Duration updateFrequency,
    Duration reportFrequency,
    Duration pingInterval,
    Duration pingTimeout) {
  private static final Duration SHORTEST_PING = Duration.ofMillis(100);

  public NodeStatusConfig {
    new Check("/nodeStatus")
        .range("updateFrequency", updateFrequency, Duration.ofSeconds(1), Duration.ofHours(1))
        .that(
            reportFrequency.compareTo(updateFrequency) >= 0,
            "reportFrequency",
            Check.text(reportFrequency),
            "must not be shorter than nodeStatus.updateFrequency \""
                + Check.text(updateFrequency)
                + "\"")
        .that(
            reportFrequency.compareTo(Duration.ofHours(24)) <= 0,
            "reportFrequency",
            Check.text(reportFrequency),
            "must be at most \"24h\"")
        .range("pingInterval", pingInterval, SHORTEST_PING, Duration.ofHours(1))
        .range("pingTimeout", pingTimeout, SHORTEST_PING, Duration.ofMinutes(10))
        .done();
  }
}
