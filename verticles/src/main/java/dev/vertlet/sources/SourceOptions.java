package dev.vertlet.sources;

import java.time.Duration;

/**
 * How sources are read.
 *
 * @param fileCheckFrequency how often directories are read though nothing was seen to change
 * @param httpCheckFrequency how often URLs are read
 */
public record SourceOptions(Duration fileCheckFrequency, Duration httpCheckFrequency) {}
