package dev.vertlet.kubelet.image;

import dev.vertlet.model.ImageName;
import dev.vertlet.model.ImageReference;
import java.util.Locale;

/** Names of images as runtimes and pods write them. */
public final class ImageNames {
  private ImageNames() {}

  /**
   * Whether the names show that a running image differs from the wanted one. Runtimes name an image
   * as they like: names that cannot be compared are no difference.
   *
   * @param image as the runtime names it
   * @param imageId its id
   * @param wanted as the pod names it
   */
  public static boolean differ(String image, String imageId, String wanted) {
    if (image.equals(wanted)) {
      return false;
    }
    int digest = wanted.indexOf('@');
    if (digest >= 0) {
      return !imageId.endsWith(wanted.substring(digest + 1));
    }
    boolean named =
        ImageName.isValid(image) && image.indexOf('@') < 0 && !image.startsWith("sha256:");
    return named && !ImageReference.same(image, wanted);
  }

  private static String registry(String image) {
    String host = host(image);
    return host.isEmpty() || host.equals("index.docker.io") ? ImageReference.DOCKER_HUB : host;
  }

  /** Returns the part before the first slash if it is a registry, else an empty string. */
  private static String host(String image) {
    String first = image.substring(0, Math.max(0, image.indexOf('/')));
    boolean host =
        first.contains(".") || first.contains(":") || first.equals("localhost") || !lower(first);
    return host ? first : "";
  }

  /** Returns the path after the registry; on Docker Hub a name without a slash gets "library/". */
  private static String path(String image) {
    String host = host(image);
    String path = host.isEmpty() ? image : image.substring(host.length() + 1);
    return registry(image).equals(ImageReference.DOCKER_HUB) && path.indexOf('/') < 0
        ? "library/" + path
        : path;
  }

  private static boolean lower(String text) {
    return text.equals(text.toLowerCase(Locale.ROOT));
  }

  /** Returns the kubelet's message for a name that is not {@linkplain ImageName#isValid valid}. */
  public static String refusal(String image) {
    String repository = path(image).split(":", 2)[0];
    return "Failed to apply default image tag \""
        + image
        + "\": couldn't parse image name \""
        + image
        + "\": invalid reference format"
        + (lower(repository) ? "" : ": repository name (" + repository + ") must be lowercase");
  }
}
