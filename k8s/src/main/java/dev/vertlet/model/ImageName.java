package dev.vertlet.model;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Grammar of image references, as far as a kubelet rejects one before it asks a registry.
 *
 * @see <a href="https://github.com/distribution/reference">the grammar of references</a>
 */
public final class ImageName {
  private static final String WORD = "[a-z0-9]+(?:(?:\\.|_|__|-+)[a-z0-9]+)*";
  private static final String LABEL = "(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])";
  private static final String HOST =
      "(?:" + LABEL + "(?:\\." + LABEL + ")*|\\[[a-fA-F0-9:]+\\])(?::[0-9]+)?";
  private static final String DIGEST =
      "[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}";
  private static final Pattern REFERENCE =
      Pattern.compile(
          "(?<host>"
              + HOST
              + "/)?(?<path>"
              + WORD
              + "(?:/"
              + WORD
              + ")*)(?::(?<tag>[\\w][\\w.-]{0,127}))?(?:@(?<digest>"
              + DIGEST
              + "))?");

  /** 255 for the name, 128 for the tag, the rest for a digest. */
  private static final int MAX_LENGTH = 640;

  private static final int MAX_PATH = 255;

  private ImageName() {}

  public static boolean isValid(String image) {
    return image.length() <= MAX_LENGTH && REFERENCE.matcher(image).matches();
  }

  /** Whether a valid reference has a tag or a digest. */
  public static boolean selects(String image) {
    Matcher reference = REFERENCE.matcher(image);
    return reference.matches()
        && (reference.group("tag") != null || reference.group("digest") != null);
  }

  /** Returns the reference library's message for an invalid reference; empty for a valid one. */
  public static Optional<String> problem(String image) {
    if (image.isEmpty()) {
      return Optional.of("repository name must have at least one component");
    }
    Matcher reference = REFERENCE.matcher(image);
    if (image.length() > MAX_LENGTH || !reference.matches()) {
      return Optional.of(
          isValid(image.toLowerCase(Locale.ROOT))
              ? "repository name must be lowercase"
              : "invalid reference format");
    }
    if (reference.group("path").length() > MAX_PATH) {
      return Optional.of("repository name must not be more than 255 characters");
    }
    String digest = reference.group("digest");
    return digest == null ? Optional.empty() : digest(digest);
  }

  private static Optional<String> digest(String digest) {
    int colon = digest.indexOf(':');
    String hex = digest.substring(colon + 1);
    int length =
        switch (digest.substring(0, colon)) {
          case "sha256" -> 64;
          case "sha384" -> 96;
          case "sha512" -> 128;
          default -> 0;
        };
    if (length == 0) {
      return Optional.of("unsupported digest algorithm");
    }
    if (hex.length() != length) {
      return Optional.of("invalid checksum digest length");
    }
    return hex.equals(hex.toLowerCase(Locale.ROOT))
        ? Optional.empty()
        : Optional.of("invalid checksum digest format");
  }
}
