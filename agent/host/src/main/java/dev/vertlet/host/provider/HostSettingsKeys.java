package dev.vertlet.host.provider;

import dev.vertlet.provider.ProviderSettings;
import dev.vertlet.provider.SettingsException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Keys that the providers of containers on this host share. Each method throws {@link
 * SettingsException} for a value that is not allowed.
 */
public final class HostSettingsKeys {
  /** The kernel's PID_MAX_LIMIT. */
  private static final long MOST_PIDS = 1L << 22;

  private HostSettingsKeys() {}

  /** Reads an absolute path; null if the key is missing. */
  public static @Nullable Path directory(ProviderSettings settings, String key) {
    if (!settings.has(key)) {
      return null;
    }
    Path path = Path.of(settings.text(key));
    if (!path.isAbsolute()) {
      throw settings.refuse(key, "must be an absolute path");
    }
    return path;
  }

  /** Most processes and threads of a pod; -1 for no limit, which is the default. */
  public static long podPidsLimit(ProviderSettings settings) {
    long limit = settings.number("podPidsLimit", -1, -1, MOST_PIDS);
    if (limit == 0) {
      throw settings.refuse("podPidsLimit", "must be -1 for no limit, or from 1 to " + MOST_PIDS);
    }
    return limit;
  }

  /** Size in bytes at which a log file is rotated. The default is a kubelet's, 10 MiB. */
  public static long logBytes(ProviderSettings settings) {
    return settings.number("containerLogMaxBytes", 10 << 20, 4096, 1L << 40);
  }

  /**
   * Number of log files of a container, the current one included. The default is a kubelet's, 5.
   */
  public static int logFiles(ProviderSettings settings) {
    return (int) settings.number("containerLogMaxFiles", 5, 2, 1000);
  }
}
