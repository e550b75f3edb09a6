package dev.vertlet.config;

import java.time.Duration;

/**
 * Pods on all nodes.
 *
 * @param syncFrequency how often each is compared with what it should be, 1 s to 24 h
 * @param maxContainerBackOff longest wait before a crashing container starts again, 1 s to 5 min
 */
public record PodsConfig(Duration syncFrequency, Duration maxContainerBackOff) {
  public PodsConfig {
    new Check("/pods")
        .range("syncFrequency", syncFrequency, Duration.ofSeconds(1), Duration.ofHours(24))
        .range(
            "maxContainerBackOff",
            maxContainerBackOff,
            Duration.ofSeconds(1),
            Duration.ofMinutes(5))
        .done();
  }
}
