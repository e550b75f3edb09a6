package dev.vertlet.trace;

import org.jspecify.annotations.Nullable;

/**
 * One run of a container.
 *
 * @param started offset in milliseconds
 * @param ended offset in milliseconds; null while it runs
 * @param exitCode null while it runs
 * @param reason of the end, for example {@code OOMKilled}
 */
public record ContainerRun(
    long started, @Nullable Long ended, @Nullable Integer exitCode, @Nullable String reason) {}
