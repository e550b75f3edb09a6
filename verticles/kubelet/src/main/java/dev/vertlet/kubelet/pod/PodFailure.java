package dev.vertlet.kubelet.pod;

import dev.vertlet.admission.Rejection;
import org.jspecify.annotations.Nullable;

/**
 * Why a pod is Failed, whatever its containers did.
 *
 * @param refused whether it was rejected before any container ran: its status then has no
 *     containers
 * @param disruption message of its condition DisruptionTarget; null for a pod without a disruption
 */
public record PodFailure(
    String reason, @Nullable String message, boolean refused, @Nullable String disruption) {
  /** Failure for a reason of the pod's own. */
  public static PodFailure of(String reason, String message) {
    return new PodFailure(reason, message, false, null);
  }

  /**
   * Failure of a pod that the runtime will never run.
   *
   * @param begun whether a container has run; if not, the pod looks like one that its node has
   *     rejected
   */
  static PodFailure of(Rejection why, boolean begun) {
    return new PodFailure(why.reason(), begun ? why.message() : why.statusMessage(), !begun, null);
  }

  /** Failure for the sake of others; it replaces any failure before it. */
  static PodFailure of(Disruption why, @Nullable PodFailure before) {
    boolean refused = before != null && before.refused();
    return new PodFailure(why.reason(), why.message(), refused, why.note());
  }
}
