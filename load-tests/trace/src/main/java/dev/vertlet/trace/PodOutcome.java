package dev.vertlet.trace;

import org.jspecify.annotations.Nullable;

/**
 * Where a pod stood when it was last seen.
 *
 * @param phase {@code Pending}, {@code Running}, {@code Succeeded}, {@code Failed} or {@code
 *     Unknown}
 * @param reason of the status, for example {@code Evicted}
 */
public record PodOutcome(String phase, @Nullable String reason) {}
