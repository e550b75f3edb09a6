package dev.vertlet.model.container;

import org.jspecify.annotations.Nullable;

/**
 * One probe of a container, as the API server defaulted it. Times are seconds.
 *
 * @param initialDelaySeconds from the container's start, 0 or more
 * @param timeoutSeconds 1 or more
 * @param periodSeconds 1 or more
 * @param successThreshold consecutive successes until the probe counts as succeeding, 1 or more
 * @param failureThreshold consecutive failures until the probe counts as failing, 1 or more
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
