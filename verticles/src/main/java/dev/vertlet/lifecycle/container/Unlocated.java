package dev.vertlet.lifecycle.container;

import dev.vertlet.model.ContainerStateView.Terminated;
import dev.vertlet.provider.ContainerRecord;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What is shown of a container that was running and cannot be found any more. */
public final class Unlocated {
  private static final int EXIT_CODE = 137;
  private static final String REASON = "ContainerStatusUnknown";
  private static final String MESSAGE =
      "The container could not be located when the pod was terminated";

  /** Of a container of which nothing is known at all. */
  public static final Terminated STATE =
      new Terminated(EXIT_CODE, 0, REASON, MESSAGE, null, null, null);

  private Unlocated() {}

  /** An instance that was running and whose end nobody saw. */
  static ContainerRecord record(
      ContainerRecord lost, @Nullable Instant startedAt, Instant missedAt) {
    Terminated end = new Terminated(EXIT_CODE, 0, REASON, MESSAGE, startedAt, missedAt, lost.id());
    return new ContainerRecord(
        lost.id(),
        lost.name(),
        lost.attempt(),
        lost.image(),
        lost.imageId(),
        end,
        false,
        false,
        lost.user());
  }
}
