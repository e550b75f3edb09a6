package dev.vertlet.provider;

import io.vertx.core.buffer.Buffer;
import java.time.Instant;

/**
 * One line of a container's log.
 *
 * @param time when it was written
 * @param error whether to standard error
 * @param text without the line's end
 */
public record LogLine(Instant time, boolean error, Buffer text) {}
