package dev.vertlet.kubelet.container;

import dev.vertlet.model.status.ContainerStateView.Terminated;
import dev.vertlet.provider.container.ContainerRecord;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** End of a running container that cannot be found any more. */
public final class Unlocated {
  private static final int EXIT_CODE = 137;
  private static final String REASON = "ContainerStatusUnknown";
  private static final String MESSAGE =
      "The container could not be located when the pod was terminated";

  /** End of a container without any known instance. */
  public static final Terminated STATE =
      new Terminated(EXIT_CODE, 0, REASON, MESSAGE, null, null, null);

  private Unlocated() {}

  /** Returns the record of a running instance whose end was not seen. */
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
