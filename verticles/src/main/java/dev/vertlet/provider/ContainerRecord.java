package dev.vertlet.provider;

import dev.vertlet.model.ContainerStateView;
import org.jspecify.annotations.Nullable;

/**
 * One instance of a container.
 *
 * @param id with scheme, for example {@code simulated://…}
 * @param attempt restart count of this instance
 * @param state Running or Terminated; Waiting for one that was created and not started
 * @param started the runtime's own start-up check, null when it has none
 * @param ready the runtime's own readiness check, null when it has none
 */
public record ContainerRecord(
    String id,
    String name,
    int attempt,
    String image,
    String imageId,
    ContainerStateView state,
    @Nullable Boolean started,
    @Nullable Boolean ready) {
  public boolean running() {
    return state instanceof ContainerStateView.Running;
  }
}
