package dev.vertlet.process;

import dev.vertlet.host.provider.HostSettingsKeys;
import dev.vertlet.process.shim.MountMode;
import dev.vertlet.provider.ProviderSettings;
import dev.vertlet.provider.SettingsException;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The provider's section of the configuration.
 *
 * @param directory for the shim and its control sockets; null for one beside the pods'
 * @param images in order; the first rule that matches an image counts
 * @param user of containers whose pods name none; null for the agent's
 * @param group of that user; null for the agent's
 * @param allowRoot whether containers may run as root
 * @param mountNamespaces whether containers have mount namespaces where this user may make them
 * @param cgroup absolute path of the control group above those of containers; empty for none
 * @param podPidsLimit most processes and threads of a pod; -1 for no limit
 * @param logBytes size at which a log file is rotated
 * @param logFiles number of log files of a container, the current one included
 */
record ProcessOptions(
    @Nullable Path directory,
    List<ImageRule> images,
    @Nullable Long user,
    @Nullable Long group,
    boolean allowRoot,
    boolean mountNamespaces,
    String cgroup,
    long podPidsLimit,
    long logBytes,
    int logFiles) {
  private static final long LARGEST_ID = (1L << 32) - 2;

  ProcessOptions {
    images = List.copyOf(images);
  }

  /**
   * Reads the section.
   *
   * @throws SettingsException for a value that is not allowed
   */
  static ProcessOptions of(ProviderSettings settings) {
    settings.only(
        "directory",
        "images",
        "user",
        "group",
        "allowRoot",
        "mounts",
        "cgroup",
        "podPidsLimit",
        "containerLogMaxBytes",
        "containerLogMaxFiles");
    return new ProcessOptions(
        HostSettingsKeys.directory(settings, "directory"),
        images(settings),
        id(settings, "user"),
        id(settings, "group"),
        settings.flag("allowRoot", false),
        mountNamespaces(settings),
        cgroup(settings),
        HostSettingsKeys.podPidsLimit(settings),
        HostSettingsKeys.logBytes(settings),
        HostSettingsKeys.logFiles(settings));
  }

  private static @Nullable Long id(ProviderSettings settings, String key) {
    return settings.has(key) ? settings.number(key, 0, 0, LARGEST_ID) : null;
  }

  private static boolean mountNamespaces(ProviderSettings settings) {
    return switch (settings.text("mounts", "auto")) {
      case "auto" -> true;
      case MountMode.LINKS -> false;
      default -> throw settings.refuse("mounts", "must be auto or links");
    };
  }

  private static String cgroup(ProviderSettings settings) {
    String text = settings.text("cgroup", "/vertlet");
    if (text.isEmpty()) {
      return text;
    }
    Path path = Path.of(text);
    if (!path.isAbsolute() || !path.equals(path.normalize()) || path.getNameCount() == 0) {
      throw settings.refuse(
          "cgroup", "must be an absolute path below the root of the cgroups, or empty for none");
    }
    return text;
  }

  private static List<ImageRule> images(ProviderSettings settings) {
    if (!settings.has("images")) {
      return List.of();
    }
    if (!(settings.json().getValue("images") instanceof JsonArray array)) {
      throw settings.refuse("images", "must be a list of objects");
    }
    List<ImageRule> rules = new ArrayList<>();
    for (int i = 0; i < array.size(); i++) {
      if (!(array.getValue(i) instanceof JsonObject rule)) {
        throw settings.refuse("images", "must be a list of objects");
      }
      try {
        rules.add(ImageRule.of(ProviderSettings.of(rule)));
      } catch (SettingsException e) {
        throw new SettingsException("/images/" + i + e.pointer(), e.value(), e.allowed());
      }
    }
    return rules;
  }

  /** Returns the first rule for an image; null if there is none. */
  @Nullable ImageRule rule(String image) {
    for (ImageRule rule : images) {
      if (rule.matches(image)) {
        return rule;
      }
    }
    return null;
  }
}
