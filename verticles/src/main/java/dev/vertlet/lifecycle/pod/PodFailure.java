package dev.vertlet.lifecycle.pod;

import dev.vertlet.admission.Rejection;
import org.jspecify.annotations.Nullable;

/**
 * Why a pod is Failed whatever its containers did.
 *
 * @param refused it was refused before anything of it ran: there is nothing to tell of containers
 * @param disruption message of its condition DisruptionTarget; null for a pod that nobody disrupted
 */
public record PodFailure(
    String reason, @Nullable String message, boolean refused, @Nullable String disruption) {
  /** For a reason of its own. */
  static PodFailure of(String reason, String message) {
    return new PodFailure(reason, message, false, null);
  }

  /**
   * The runtime will never run it.
   *
   * @param begun whether something of it has run; else it looks like one that its node has refused
   */
  static PodFailure of(Rejection why, boolean begun) {
    return new PodFailure(why.reason(), begun ? why.message() : why.statusMessage(), !begun, null);
  }

  /** For the sake of others, whatever was to become of it. */
  static PodFailure of(Disruption why, @Nullable PodFailure before) {
    boolean refused = before != null && before.refused();
    return new PodFailure(why.reason(), why.message(), refused, why.note());
  }
}
