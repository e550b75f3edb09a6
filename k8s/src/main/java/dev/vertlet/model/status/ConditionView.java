package dev.vertlet.model.status;

import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One pod condition.
 *
 * @param status True, False or Unknown
 * @param lastTransitionTime whole seconds, as the API keeps it
 * @param observedGeneration the pod generation this condition was computed for, null if the writer
 *     did not set it
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

  @Override
  public boolean equals(@Nullable Object other) {
    return this == other
        || other instanceof ConditionView that
            && type.equals(that.type)
            && status.equals(that.status)
            && Objects.equals(reason, that.reason)
            && Objects.equals(message, that.message)
            && Objects.equals(lastTransitionTime, that.lastTransitionTime)
            && Objects.equals(observedGeneration, that.observedGeneration);
  }

  @Override
  public int hashCode() {
    int hash = type.hashCode();
    hash = 31 * hash + status.hashCode();
    hash = 31 * hash + Objects.hashCode(reason);
    hash = 31 * hash + Objects.hashCode(message);
    hash = 31 * hash + Objects.hashCode(lastTransitionTime);
    return 31 * hash + Objects.hashCode(observedGeneration);
  }
}
