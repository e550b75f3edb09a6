package dev.vertlet.config;

import dev.vertlet.model.GoDuration;
import dev.vertlet.problem.Problems;
import java.time.Duration;

/**
 * Section {@code lease}: the Leases of the nodes.
 *
 * @param enabled false for nodes without Leases
 * @param duration term of a Lease without renewal; whole seconds, 1 s to 1 h
 * @param renewInterval time between renewals; at least 100 ms, at most half of {@code duration}
 */
public record LeaseConfig(boolean enabled, Duration duration, Duration renewInterval) {
  private static final Duration SHORTEST_INTERVAL = Duration.ofMillis(100);

  public LeaseConfig {
    new Problems("/lease")
        .range("/duration", duration, Duration.ofSeconds(1), Duration.ofHours(1))
        .that(
            duration.toNanosPart() == 0,
            "/duration",
            GoDuration.brief(duration),
            "must be whole seconds, as Leases hold nothing finer")
        .that(
            renewInterval.compareTo(SHORTEST_INTERVAL) >= 0,
            "/renewInterval",
            GoDuration.brief(renewInterval),
            "must be at least \"100ms\"")
        .that(
            renewInterval.multipliedBy(2).compareTo(duration) <= 0,
            "/renewInterval",
            GoDuration.brief(renewInterval),
            "must be at most half of lease.duration \"" + GoDuration.brief(duration) + "\"")
        .done(ConfigException::new);
  }
}
