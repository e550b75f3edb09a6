package dev.vertlet.model;

import org.jspecify.annotations.Nullable;

/**
 * One probe of a container, as the API server defaulted it. Times are seconds.
 *
 * @param initialDelaySeconds from the container's start, 0 and up
 * @param timeoutSeconds 1 and up
 * @param periodSeconds 1 and up
 * @param successThreshold answers in a row until it counts as succeeding, 1 and up
 * @param failureThreshold answers in a row until it counts as failing, 1 and up
 * @param terminationGracePeriodSeconds of a container that this probe ends; null: the pod's
 */
public record ProbeView(
    HandlerView handler,
    int initialDelaySeconds,
    int timeoutSeconds,
    int periodSeconds,
    int successThreshold,
    int failureThreshold,
    @Nullable Long terminationGracePeriodSeconds) {
  public ProbeView {
    timeoutSeconds = Math.max(1, timeoutSeconds);
    periodSeconds = Math.max(1, periodSeconds);
    successThreshold = Math.max(1, successThreshold);
    failureThreshold = Math.max(1, failureThreshold);
  }
}
