package dev.vertlet.kubelet.pod;

import org.jspecify.annotations.Nullable;

/**
 * Why a pod ends for the sake of others.
 *
 * @param reason of the pod's status, for example {@code Evicted}
 * @param message of the pod's status
 * @param note message of its condition DisruptionTarget, null for none
 * @param warns whether an event reports it too, with the same reason and message
 */
public record Disruption(String reason, String message, @Nullable String note, boolean warns) {}
