package dev.vertlet.provider.container;

import dev.vertlet.model.container.ContainerUserView;
import dev.vertlet.model.status.ContainerStateView;
import org.jspecify.annotations.Nullable;

/**
 * One instance of a container.
 *
 * @param id with scheme, for example {@code simulated://…}
 * @param attempt restart count of this instance
 * @param state Running or Terminated; Waiting for an instance that was created but not started
 * @param started result of the runtime's own startup check; null when the runtime has none
 * @param ready result of the runtime's own readiness check; null when the runtime has none
 * @param user Linux user of the container's first process; null if the runtime does not report it
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
  /** Creates a record without a user. */
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
