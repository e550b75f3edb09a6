package dev.vertlet.lifecycle;

import dev.vertlet.model.ImageName;

/** Names of images as runtimes and pods write them. */
final class ImageNames {
  private ImageNames() {}

  /**
   * Whether what runs is of another image than is wanted, as far as names tell. Runtimes name an
   * image as they like: what cannot be compared is no difference.
   *
   * @param image as the runtime names it
   * @param imageId its identity
   * @param wanted as the pod names it
   */
  static boolean differ(String image, String imageId, String wanted) {
    if (image.equals(wanted)) {
      return false;
    }
    int digest = wanted.indexOf('@');
    if (digest >= 0) {
      return !imageId.endsWith(wanted.substring(digest + 1));
    }
    boolean named =
        ImageName.isValid(image) && image.indexOf('@') < 0 && !image.startsWith("sha256:");
    return named && !whole(image).equals(whole(wanted));
  }

  /** With the registry and the tag that count where none is named. */
  private static String whole(String image) {
    int slash = image.indexOf('/');
    String first = slash < 0 ? "" : image.substring(0, slash);
    boolean host = first.contains(".") || first.contains(":") || first.equals("localhost");
    String path = host ? image.substring(slash + 1) : image;
    boolean hub = !host || first.equals("docker.io") || first.equals("index.docker.io");
    String registry = hub ? "docker.io" : first;
    String repository = hub && path.indexOf('/') < 0 ? "library/" + path : path;
    return registry + "/" + repository + (tagged(path) ? "" : ":latest");
  }

  private static boolean tagged(String path) {
    return path.indexOf(':', path.lastIndexOf('/') + 1) >= 0;
  }

  /** The kubelet's words for a name that is not {@linkplain ImageName#isValid valid}. */
  static String refusal(String image) {
    return "Failed to apply default image tag \""
        + image
        + "\": couldn't parse image name \""
        + image
        + "\": invalid reference format";
  }
}
