package dev.vertlet.model.status;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * {@code state} or {@code lastState} of a container status. Times are whole seconds, as the API
 * keeps them.
 */
public sealed interface ContainerStateView {
  record Waiting(@Nullable String reason, @Nullable String message) implements ContainerStateView {}

  record Running(@Nullable Instant startedAt) implements ContainerStateView {}

  record Terminated(
      int exitCode,
      int signal,
      @Nullable String reason,
      @Nullable String message,
      @Nullable Instant startedAt,
      @Nullable Instant finishedAt,
      @Nullable String containerId)
      implements ContainerStateView {
    /** The same end with this message. */
    public Terminated withMessage(String said) {
      return new Terminated(exitCode, signal, reason, said, startedAt, finishedAt, containerId);
    }
  }
}
