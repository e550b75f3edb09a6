package dev.vertlet.lifecycle;

/**
 * Why a pod is ended that did nothing wrong.
 *
 * @param reason of the pod's status, for example {@code Evicted}
 * @param message of the pod's status
 * @param note message of its condition DisruptionTarget
 * @param warns whether an event tells it too, with the same reason and message
 */
record Disruption(String reason, String message, String note, boolean warns) {}
