package dev.vertlet.config;

import dev.vertlet.problem.Problems;
import java.time.Duration;

/**
 * Node status and the health of back ends.
 *
 * @param reportFrequency how often it is written unchanged, 1 s to 24 h
 * @param pingInterval how often the back end is asked whether it is alive, 100 ms to 1 h
 * @param pingTimeout how long it may take to answer, 100 ms to 10 min
 * @param maxImages how many of its images a node shows at most; -1 for all of them
 */
public record NodeStatusConfig(
    Duration reportFrequency, Duration pingInterval, Duration pingTimeout, int maxImages) {
  private static final Duration SHORTEST_PING = Duration.ofMillis(100);

  public NodeStatusConfig {
    new Problems("/nodeStatus")
        .range("/reportFrequency", reportFrequency, Duration.ofSeconds(1), Duration.ofHours(24))
        .range("/pingInterval", pingInterval, SHORTEST_PING, Duration.ofHours(1))
        .range("/pingTimeout", pingTimeout, SHORTEST_PING, Duration.ofMinutes(10))
        .range("/maxImages", maxImages, -1, Integer.MAX_VALUE)
        .done(ConfigException::new);
  }
}
