package dev.vertlet.bus;

import java.time.Duration;

/**
 * A node's lease has these times from now on.
 *
 * @param duration validity without renewal; whole seconds, 1 s or more
 * @param renewInterval between renewals; at most half of {@code duration}
 * @param pingValidity validity of an answered ping of the provider
 */
public record LeaseConfigured(
    String node, Duration duration, Duration renewInterval, Duration pingValidity)
    implements BusMessage {}
