package dev.vertlet.model.node;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One condition of a node.
 *
 * @param status True, False or Unknown
 */
public record NodeConditionView(
    String type,
    String status,
    String reason,
    String message,
    @Nullable Instant lastHeartbeatTime,
    @Nullable Instant lastTransitionTime) {
  /** Whether both are equal except for the two times. */
  public boolean sameState(NodeConditionView other) {
    return type.equals(other.type)
        && status.equals(other.status)
        && reason.equals(other.reason)
        && message.equals(other.message);
  }
}
