package dev.vertlet.model.status;

import dev.vertlet.model.container.ContainerUserView;
import dev.vertlet.model.container.MountsView;
import dev.vertlet.model.container.ResourcesView;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Status of one container.
 *
 * @param mounts its volumes, with its name
 * @param containerId {@code vertlet://…}, null before the first start
 * @param started null before the container was ever evaluated
 * @param state null only if the API server holds none yet
 * @param lastState state of the previous instance, null without one
 * @param allocatedResources resources that the node has granted: resource name to quantity
 * @param resources that the container has, or gets at its start; null if unknown. The API server
 *     rejects a resize of a pod whose running containers lack them
 * @param user of its newest instance; null if the runtime does not report it
 */
public record ContainerStatusView(
    MountsView mounts,
    String image,
    String imageId,
    @Nullable String containerId,
    int restartCount,
    boolean ready,
    @Nullable Boolean started,
    @Nullable ContainerStateView state,
    @Nullable ContainerStateView lastState,
    Map<String, String> allocatedResources,
    @Nullable ResourcesView resources,
    @Nullable ContainerUserView user) {
  /** Creates a status without mounts and without a user. */
  public ContainerStatusView(
      String name,
      String image,
      String imageId,
      @Nullable String containerId,
      int restartCount,
      boolean ready,
      @Nullable Boolean started,
      @Nullable ContainerStateView state,
      @Nullable ContainerStateView lastState,
      Map<String, String> allocatedResources,
      @Nullable ResourcesView resources) {
    this(
        MountsView.none(name),
        image,
        imageId,
        containerId,
        restartCount,
        ready,
        started,
        state,
        lastState,
        allocatedResources,
        resources,
        null);
  }

  /** Creates a status without resources and mounts. */
  public ContainerStatusView(
      String name,
      String image,
      String imageId,
      @Nullable String containerId,
      int restartCount,
      boolean ready,
      @Nullable Boolean started,
      @Nullable ContainerStateView state,
      @Nullable ContainerStateView lastState) {
    this(
        name,
        image,
        imageId,
        containerId,
        restartCount,
        ready,
        started,
        state,
        lastState,
        Map.of(),
        null);
  }

  public ContainerStatusView {
    Objects.requireNonNull(mounts, "mounts");
    Objects.requireNonNull(image, "image");
    Objects.requireNonNull(imageId, "imageId");
    allocatedResources = Map.copyOf(allocatedResources);
  }

  /** Returns the same status with other mounts. */
  public ContainerStatusView withMounts(MountsView others) {
    return new ContainerStatusView(
        others,
        image,
        imageId,
        containerId,
        restartCount,
        ready,
        started,
        state,
        lastState,
        allocatedResources,
        resources,
        user);
  }

  /** Name of the container. */
  public String name() {
    return mounts.container();
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return this == other
        || other instanceof ContainerStatusView that
            && mounts.equals(that.mounts)
            && image.equals(that.image)
            && imageId.equals(that.imageId)
            && Objects.equals(containerId, that.containerId)
            && restartCount == that.restartCount
            && ready == that.ready
            && Objects.equals(started, that.started)
            && Objects.equals(state, that.state)
            && Objects.equals(lastState, that.lastState)
            && allocatedResources.equals(that.allocatedResources)
            && Objects.equals(resources, that.resources)
            && Objects.equals(user, that.user);
  }

  @Override
  public int hashCode() {
    int hash = mounts.hashCode();
    hash = 31 * hash + image.hashCode();
    hash = 31 * hash + imageId.hashCode();
    hash = 31 * hash + Objects.hashCode(containerId);
    hash = 31 * hash + restartCount;
    hash = 31 * hash + Boolean.hashCode(ready);
    hash = 31 * hash + Objects.hashCode(started);
    hash = 31 * hash + Objects.hashCode(state);
    hash = 31 * hash + Objects.hashCode(lastState);
    hash = 31 * hash + allocatedResources.hashCode();
    hash = 31 * hash + Objects.hashCode(resources);
    return 31 * hash + Objects.hashCode(user);
  }
}
