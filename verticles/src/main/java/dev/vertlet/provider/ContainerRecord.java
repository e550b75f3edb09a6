package dev.vertlet.provider;

import dev.vertlet.model.ContainerStateView;
import dev.vertlet.model.ContainerUserView;
import org.jspecify.annotations.Nullable;

/**
 * One instance of a container.
 *
 * @param id with scheme, for example {@code simulated://…}
 * @param attempt restart count of this instance
 * @param state Running or Terminated; Waiting for one that was created and not started
 * @param started the runtime's own start-up check, null when it has none
 * @param ready the runtime's own readiness check, null when it has none
 * @param user its first process was started as on Linux; null where the runtime does not say
 */
public record ContainerRecord(
    String id,
    String name,
    int attempt,
    String image,
    String imageId,
    ContainerStateView state,
    @Nullable Boolean started,
    @Nullable Boolean ready,
    @Nullable ContainerUserView user) {
  /** One of whose user nothing is said. */
  public ContainerRecord(
      String id,
      String name,
      int attempt,
      String image,
      String imageId,
      ContainerStateView state,
      @Nullable Boolean started,
      @Nullable Boolean ready) {
    this(id, name, attempt, image, imageId, state, started, ready, null);
  }

  /** The same instance in this state. */
  public ContainerRecord withState(ContainerStateView other) {
    return new ContainerRecord(id, name, attempt, image, imageId, other, started, ready, user);
  }

  public boolean running() {
    return state instanceof ContainerStateView.Running;
  }
}
