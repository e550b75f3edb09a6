package dev.vertlet.process;

import dev.vertlet.process.store.StoredContainer;
import dev.vertlet.provider.ProviderSettings;
import dev.vertlet.provider.SettingsException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Says what an image is on this host.
 *
 * @param pattern of names as pods write them; {@code *} stands for any number of characters
 * @param root directory with the image's files; null for the host's own
 * @param command entry point of containers that name none; empty for none
 */
record ImageRule(String pattern, @Nullable Path root, List<String> command) {
  /** Value of {@code root} for the host's own files. */
  static final String HOST = "host";

  ImageRule {
    command = List.copyOf(command);
  }

  /**
   * Reads a rule.
   *
   * @throws SettingsException for a value that is not allowed
   */
  static ImageRule of(ProviderSettings settings) {
    settings.only("pattern", "root", "command");
    String pattern = settings.text("pattern");
    String root = settings.text("root");
    boolean host = root.equals(HOST);
    if (!host && !Path.of(root).isAbsolute()) {
      throw settings.refuse("root", "must be \"host\" or an absolute path");
    }
    return new ImageRule(pattern, host ? null : Path.of(root), settings.texts("command"));
  }

  /** The image's identity. */
  String id() {
    return StoredContainer.SCHEME + (root == null ? HOST : root);
  }

  boolean matches(String image) {
    return matches(0, image, 0);
  }

  private boolean matches(int at, String image, int from) {
    if (at == pattern.length()) {
      return from == image.length();
    }
    if (pattern.charAt(at) != '*') {
      return from < image.length()
          && pattern.charAt(at) == image.charAt(from)
          && matches(at + 1, image, from + 1);
    }
    for (int i = from; i <= image.length(); i++) {
      if (matches(at + 1, image, i)) {
        return true;
      }
    }
    return false;
  }
}
