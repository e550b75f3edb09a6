package dev.vertlet.cri;

import dev.vertlet.host.provider.HostSettingsKeys;
import dev.vertlet.provider.ProviderSettings;
import dev.vertlet.provider.SettingsException;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The provider's section of the configuration.
 *
 * @param socket of the container runtime
 * @param imageSocket of the image service; usually the same
 * @param cgroupRoot absolute path of the cgroup above {@code kubepods}; empty for none: containers
 *     are then where the runtime puts them
 * @param cgroupDriver {@code cgroupfs} or {@code systemd}; empty for the one that the runtime names
 * @param logsDir of the pods' logs; null for {@code logs} beside the directory of pods
 * @param seccompDir of local seccomp profiles; null for {@code seccomp} beside the directory of
 *     pods
 * @param seccompDefault whether containers without a seccomp profile get the runtime's
 * @param runtimeHandler of pods without a runtime class; empty for the runtime's default
 * @param runtimeClasses handlers by the names of runtime classes; a class that is missing has the
 *     handler of its own name
 * @param podPidsLimit most processes and threads of a pod; -1 for no limit
 * @param logBytes size at which a log file is rotated
 * @param logFiles number of log files of a container, the current one included
 */
public record CriOptions(
    Path socket,
    Path imageSocket,
    String cgroupRoot,
    String cgroupDriver,
    @Nullable Path logsDir,
    @Nullable Path seccompDir,
    boolean seccompDefault,
    String runtimeHandler,
    Map<String, String> runtimeClasses,
    long podPidsLimit,
    long logBytes,
    int logFiles) {
  private static final String DEFAULT_SOCKET = "/run/containerd/containerd.sock";
  private static final String DEFAULT_ROOT = "/vertlet";
  private static final Set<String> DRIVERS = Set.of("", "cgroupfs", "systemd");

  public CriOptions {
    runtimeClasses = Map.copyOf(runtimeClasses);
  }

  /**
   * Reads the section.
   *
   * @throws SettingsException for a value that is not allowed
   */
  static CriOptions of(ProviderSettings settings) {
    settings.only(
        "socket",
        "imageSocket",
        "cgroupRoot",
        "cgroupDriver",
        "logsDir",
        "seccompDir",
        "seccompDefault",
        "runtimeHandler",
        "runtimeClasses",
        "podPidsLimit",
        "containerLogMaxBytes",
        "containerLogMaxFiles");
    Path socket = socket(settings, "socket", Path.of(DEFAULT_SOCKET));
    return new CriOptions(
        socket,
        socket(settings, "imageSocket", socket),
        cgroupRoot(settings),
        cgroupDriver(settings),
        HostSettingsKeys.directory(settings, "logsDir"),
        HostSettingsKeys.directory(settings, "seccompDir"),
        settings.flag("seccompDefault", false),
        settings.text("runtimeHandler", ""),
        runtimeClasses(settings),
        HostSettingsKeys.podPidsLimit(settings),
        HostSettingsKeys.logBytes(settings),
        HostSettingsKeys.logFiles(settings));
  }

  private static Path socket(ProviderSettings settings, String key, Path otherwise) {
    if (!settings.has(key)) {
      return otherwise;
    }
    String text = settings.text(key);
    Path path = Path.of(text.startsWith("unix://") ? text.substring("unix://".length()) : text);
    if (!path.isAbsolute()) {
      throw settings.refuse(key, "must be the absolute path of a Unix domain socket");
    }
    return path;
  }

  private static String cgroupRoot(ProviderSettings settings) {
    String root = settings.text("cgroupRoot", DEFAULT_ROOT);
    if (!root.isEmpty() && (!root.startsWith("/") || root.contains("/.."))) {
      throw settings.refuse("cgroupRoot", "must be an absolute path of a cgroup, or empty");
    }
    return root;
  }

  private static String cgroupDriver(ProviderSettings settings) {
    String driver = settings.text("cgroupDriver", "");
    if (!DRIVERS.contains(driver)) {
      throw settings.refuse("cgroupDriver", "must be cgroupfs, systemd or empty");
    }
    return driver;
  }

  private static Map<String, String> runtimeClasses(ProviderSettings settings) {
    settings.section("runtimeClasses"); // checks that it is an object
    Map<String, String> classes = new LinkedHashMap<>();
    JsonObject section = settings.json().getJsonObject("runtimeClasses", new JsonObject());
    for (String name : section.fieldNames()) {
      classes.put(name, settings.section("runtimeClasses").text(name));
    }
    return classes;
  }

  /** The handler of a pod. */
  String handler(String runtimeClass) {
    return runtimeClass.isEmpty()
        ? runtimeHandler
        : runtimeClasses.getOrDefault(runtimeClass, runtimeClass);
  }
}
