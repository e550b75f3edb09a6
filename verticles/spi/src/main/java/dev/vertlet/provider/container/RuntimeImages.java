package dev.vertlet.provider.container;

import dev.vertlet.model.container.ContainerView;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.provider.content.PodInput;
import dev.vertlet.provider.content.RegistryCredential;
import dev.vertlet.provider.failure.ProviderException;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Images of a runtime's nodes; a part of every {@link ContainerRuntime}, as in CRI. */
public interface RuntimeImages {
  /** Returns the image's identity if the node has the image, else empty. */
  Future<Optional<String>> imageId(String node, String image);

  /**
   * Pulls an image.
   *
   * @return identity of the image
   */
  Future<String> pull(PodView pod, ContainerView container);

  /**
   * Pulls an image as {@link #pull(PodView, ContainerView)} does, which is the default. Called
   * instead of that method when {@link ContainerRuntime#input} is {@link PodInput#VALUES} or {@link
   * PodInput#FILES}, once for each credential of the pod that applies to the image, until a call
   * succeeds.
   *
   * @param credential null if the pod has none for the image
   */
  default Future<String> pull(
      PodView pod, ContainerView container, @Nullable RegistryCredential credential) {
    return pull(pod, container);
  }

  /**
   * Size of a pulled image on the node's disk, for the {@code Pulled} event. The container is
   * started once this call is answered.
   *
   * @param imageId the result of {@link #pull}
   * @return bytes; 0 if the size is unknown. After 0 or a failure the event does not mention the
   *     size
   */
  default Future<Long> imageSize(String node, String imageId) {
    return Future.succeededFuture(0L);
  }

  /**
   * Lists all images that the node has. Called every 5 min, 10 s after a pull, and when the node
   * runs out of disk, so that the node's status shows the images and the kubelet core can remove
   * unused ones.
   *
   * @return fails as UNSUPPORTED for a runtime that manages its images itself: it is not called
   *     again
   */
  default Future<List<ImageRecord>> images(String node) {
    return ProviderException.unsupported("ImagesUnsupported", "the runtime lists no images");
  }

  /**
   * Removes an image that {@link #images} has returned. Succeeds when the node does not have it.
   */
  default Future<Void> removeImage(String node, String imageId) {
    return ProviderException.unsupported("ImagesUnsupported", "the runtime removes no images");
  }
}
