package dev.vertlet.kubeletconfig.validation;

import dev.vertlet.model.ImageName;
import java.util.Optional;

/** Image name, or a prefix of image names that ends with a slash and a star. */
final class ImagePattern {
  private ImagePattern() {}

  /** Returns a kubelet's message about an invalid pattern; empty for a valid one. */
  static Optional<String> problem(String pattern) {
    if (isSpace(pattern, 0) || isSpace(pattern, pattern.length() - 1)) {
      return Optional.of("leading/trailing spaces are not allowed: " + pattern);
    }
    boolean all = pattern.endsWith("/*");
    String name = all ? pattern.substring(0, pattern.length() - 1) : pattern;
    if (name.isEmpty()) {
      return Optional.of("the supplied pattern is too short: " + pattern);
    }
    if (name.contains("*")) {
      return Optional.of(
          "not a valid wildcard pattern, only patterns ending with '/*' are allowed: " + pattern);
    }
    if (all) {
      return name.length() == 1
          ? Optional.of("at least registry hostname is required")
          : Optional.empty();
    }
    Optional<String> problem =
        ImageName.problem(name).map(why -> "failed to parse as an image name: " + why);
    return problem.isEmpty() && ImageName.selects(name)
        ? Optional.of("neither tag nor digest is accepted in an image reference: " + pattern)
        : problem;
  }

  private static boolean isSpace(String pattern, int at) {
    return !pattern.isEmpty()
        && (Character.isWhitespace(pattern.charAt(at))
            || Character.isSpaceChar(pattern.charAt(at)));
  }
}
