package dev.vertlet.cri.container;

import dev.vertlet.cri.wire.ImageMessages.Image;
import dev.vertlet.model.definition.ContainerSecurity;
import org.jspecify.annotations.Nullable;

/**
 * User that an image names.
 *
 * @param uid null if the image names the user by name
 * @param name empty if the image names the user by id
 */
record ImageUser(@Nullable Long uid, String name) {
  /** Largest user id that Kubernetes allows. */
  private static final long LARGEST = Integer.MAX_VALUE;

  /** User of an image; root if it names none. */
  static ImageUser of(@Nullable Image image) {
    if (image != null && image.uid() != null) {
      return new ImageUser(image.uid().value(), "");
    }
    return image != null && !image.username().isEmpty()
        ? new ImageUser(null, image.username())
        : new ImageUser(0L, "");
  }

  /**
   * Checks that a container which must not run as root does not.
   *
   * @param pod {@code name_namespace(uid)}
   * @throws IllegalArgumentException with a kubelet's message
   */
  void check(ContainerSecurity security, String pod, String container) {
    if (!Boolean.TRUE.equals(security.runAsNonRoot())) {
      return;
    }
    String where = " (pod: \"" + pod + "\", container: " + container + ")";
    Long wanted = security.runAsUser();
    if (wanted != null) {
      if (wanted == 0) {
        throw new IllegalArgumentException("container's runAsUser breaks non-root policy" + where);
      }
      return;
    }
    if (uid == null) {
      throw new IllegalArgumentException(
          "container has runAsNonRoot and image has non-numeric user ("
              + name
              + "), cannot verify user is non-root"
              + where);
    }
    if (uid == 0) {
      throw new IllegalArgumentException(
          "container has runAsNonRoot and image will run as root" + where);
    }
    if (uid < 0 || uid > LARGEST) {
      throw new IllegalArgumentException(
          ("container has runAsNonRoot and image has an invalid user id (%d). (Must be 1-(%d)):"
                  + " must be between 0 and %d, inclusive%s")
              .formatted(uid, LARGEST, LARGEST, where));
    }
  }
}
