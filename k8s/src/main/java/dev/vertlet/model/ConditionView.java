package dev.vertlet.model;

import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One pod condition.
 *
 * @param status True, False or Unknown
 * @param lastTransitionTime whole seconds, as the API keeps it
 * @param observedGeneration the pod generation this condition was computed for, null when the
 *     writer did not say
 */
public record ConditionView(
    String type,
    String status,
    @Nullable String reason,
    @Nullable String message,
    @Nullable Instant lastTransitionTime,
    @Nullable Long observedGeneration) {
  public ConditionView {
    Objects.requireNonNull(type, "type");
    Objects.requireNonNull(status, "status");
  }
}
