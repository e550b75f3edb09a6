package dev.vertlet.provider.stream;

import io.vertx.core.buffer.Buffer;
import java.time.Instant;

/**
 * One line of a container's log.
 *
 * @param time when the line was written
 * @param error whether the line was written to standard error
 * @param text without the line terminator
 */
public record LogLine(Instant time, boolean error, Buffer text) {}
