package dev.vertlet.provider.failure;

import dev.vertlet.model.PodRef;
import java.time.Duration;

/**
 * The last failure of an operation on a pod, for a {@link RetryPolicy}.
 *
 * @param tries number of tries so far, at least 1; all of them failed
 * @param elapsed time since the first of them began
 * @param failure of the last try
 */
public record FailedTry(PodRef pod, int tries, Duration elapsed, Throwable failure) {}
