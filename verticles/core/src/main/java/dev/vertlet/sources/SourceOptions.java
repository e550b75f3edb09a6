package dev.vertlet.sources;

import java.time.Duration;

/**
 * Intervals of readings.
 *
 * @param fileCheckFrequency interval of reading directories without a detected change
 * @param httpCheckFrequency interval of reading URLs
 */
public record SourceOptions(Duration fileCheckFrequency, Duration httpCheckFrequency) {}
