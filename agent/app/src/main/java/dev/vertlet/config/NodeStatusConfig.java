package dev.vertlet.config;

import dev.vertlet.config.document.ConfigException;
import dev.vertlet.problem.Problems;
import java.time.Duration;

/**
 * Section {@code nodeStatus}: node status and health checks of the providers.
 *
 * @param reportFrequency interval between writes of an unchanged status, 1 s to 24 h
 * @param pingInterval interval between pings of the provider, 100 ms to 1 h
 * @param pingTimeout time limit of one ping, 100 ms to 10 min
 * @param maxImages most images that a node reports; -1 for all of them
 */
public record NodeStatusConfig(
    Duration reportFrequency, Duration pingInterval, Duration pingTimeout, int maxImages) {
  private static final Duration SHORTEST_PING = Duration.ofMillis(100);

  public NodeStatusConfig {
    new Problems("/nodeStatus")
        .range("/reportFrequency", reportFrequency, Duration.ofSeconds(1), Duration.ofHours(24))
        .range("/pingInterval", pingInterval, SHORTEST_PING, Duration.ofHours(1))
        .range("/pingTimeout", pingTimeout, SHORTEST_PING, Duration.ofMinutes(10))
        .done(ConfigException::new);
  }
}
