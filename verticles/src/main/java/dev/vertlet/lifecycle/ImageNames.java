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

  /** The kubelet's words for a name that is not {@link #valid}. */
  static String refusal(String image) {
    return "Failed to apply default image tag \""
        + image
        + "\": couldn't parse image name \""
        + image
        + "\": invalid reference format";
  }
}
