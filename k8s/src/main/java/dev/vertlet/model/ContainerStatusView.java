package dev.vertlet.model;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Status of one container.
 *
 * @param containerId {@code vertlet://…}, null before the first start
 * @param started null before the container was ever evaluated
 * @param state null only where the API server holds none yet
 * @param lastState the previous instance, null when there was none
 */
public record ContainerStatusView(
    String name,
    String image,
    String imageId,
    @Nullable String containerId,
    int restartCount,
    boolean ready,
    @Nullable Boolean started,
    @Nullable ContainerStateView state,
    @Nullable ContainerStateView lastState) {
  public ContainerStatusView {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(image, "image");
    Objects.requireNonNull(imageId, "imageId");
  }
}
