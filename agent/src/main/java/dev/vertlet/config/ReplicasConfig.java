package dev.vertlet.config;

import dev.vertlet.model.GoDuration;
import dev.vertlet.problem.Problems;
import java.time.Duration;

/**
 * Section {@code replicas}: several agents that divide the nodes.
 *
 * @param enabled whether this agent is one of several
 * @param group agents of the same group divide the nodes
 * @param namespace namespace of their Leases; empty for the agent's own
 * @param duration term of an agent's Lease, after which the agent loses its share; whole seconds, 1
 *     s to 1 h
 * @param renewInterval time between renewals; at most half of {@code duration}
 */
public record ReplicasConfig(
    boolean enabled, String group, String namespace, Duration duration, Duration renewInterval) {
  private static final Duration SHORTEST_INTERVAL = Duration.ofMillis(100);

  public ReplicasConfig {
    new Problems("/replicas")
        .that(
            group.matches("[a-z0-9]([-a-z0-9]{0,38}[a-z0-9])?"),
            "/group",
            group,
            "must be 1 to 40 lower case letters, digits and -")
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
            "must be at most half of replicas.duration \"" + GoDuration.brief(duration) + "\"")
        .done(ConfigException::new);
  }
}
