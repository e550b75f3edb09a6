package dev.vertlet.lease;

import java.time.Duration;

/**
 * Settings of the node leases of one agent.
 *
 * @param identity of this agent, written into the annotation {@code vertlet.dev/agent}
 * @param pingValidity validity of an answered ping of the provider; longer than the time to the
 *     next answer
 */
public record LeaseSettings(String identity, LeaseOptions options, Duration pingValidity) {
  Duration duration() {
    return options.duration();
  }

  /** Returns settings of the same agent with other times. */
  LeaseSettings with(Duration duration, Duration renewInterval, Duration validity) {
    return new LeaseSettings(
        identity, new LeaseOptions(options.enabled(), duration, renewInterval), validity);
  }
}
