package dev.vertlet.config;

import java.time.Duration;

/**
 * Pods on all nodes.
 *
 * @param syncFrequency how often each is compared with what it should be, 1 s to 24 h
 * @param maxContainerBackOff longest wait before a crashing container starts again, 1 s to 5 min
 * @param fileCheckFrequency how often directories of manifests are read, 1 s to 24 h
 * @param httpCheckFrequency how often URLs of manifests are read, 1 s to 24 h
 */
public record PodsConfig(
    Duration syncFrequency,
    Duration maxContainerBackOff,
    Duration fileCheckFrequency,
    Duration httpCheckFrequency) {
  public PodsConfig {
    new Check("/pods")
        .range("syncFrequency", syncFrequency, Duration.ofSeconds(1), Duration.ofHours(24))
        .range(
            "maxContainerBackOff",
            maxContainerBackOff,
            Duration.ofSeconds(1),
            Duration.ofMinutes(5))
        .range(
            "fileCheckFrequency", fileCheckFrequency, Duration.ofSeconds(1), Duration.ofHours(24))
        .range(
            "httpCheckFrequency", httpCheckFrequency, Duration.ofSeconds(1), Duration.ofHours(24))
        .done();
  }
}
