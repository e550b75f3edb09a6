package dev.vertlet.lifecycle;

import java.util.regex.Pattern;

/** The grammar of image references, as far as a kubelet refuses a name before it pulls. */
final class ImageNames {
  private static final String WORD = "[a-z0-9]+(?:(?:\\.|_|__|-+)[a-z0-9]+)*";
  private static final String LABEL = "(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])";
  private static final String HOST =
      "(?:" + LABEL + "(?:\\." + LABEL + ")*|\\[[a-fA-F0-9:]+\\])(?::[0-9]+)?";
  private static final String DIGEST =
      "[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z0-9]+)*:[0-9a-fA-F]{32,}";
  private static final Pattern REFERENCE =
      Pattern.compile(
          "(?:"
              + HOST
              + "/)?"
              + WORD
              + "(?:/"
              + WORD
              + ")*"
              + "(?::[\\w][\\w.-]{0,127})?(?:@"
              + DIGEST
              + ")?");

  /** 255 for the name, 128 for the tag, the rest for a digest: nothing longer is an image. */
  private static final int MAX_LENGTH = 640;

  private ImageNames() {}

  static boolean valid(String image) {
    return image.length() <= MAX_LENGTH && REFERENCE.matcher(image).matches();
  }

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
    boolean named = valid(image) && image.indexOf('@') < 0 && !image.startsWith("sha256:");
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

  /** The kubelet's words for a name that is not {@link #valid}. */
  static String refusal(String image) {
    return "Failed to apply default image tag \""
        + image
        + "\": couldn't parse image name \""
        + image
        + "\": invalid reference format";
  }
}
