package dev.vertlet.config;

import dev.vertlet.admission.Sysctls;
import dev.vertlet.config.document.ConfigException;
import dev.vertlet.model.resource.Quantities;
import dev.vertlet.problem.Problems;
import io.vertx.core.json.JsonArray;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * Section {@code pods}: settings of pods on all nodes.
 *
 * @param syncFrequency interval between two syncs of a pod, 1 s to 24 h
 * @param maxContainerBackOff longest CrashLoopBackOff delay, 1 s to 5 min
 * @param fileCheckFrequency interval between reads of manifest directories, 1 s to 24 h
 * @param httpCheckFrequency interval between reads of manifest URLs, 1 s to 24 h
 * @param containerLogMaxSize quantity of bytes at which a simulated container's log is rotated;
 *     never rotated below 0
 * @param allowedUnsafeSysctls sysctls that pods may set besides the safe ones: names, or prefixes
 *     with a trailing star
 * @param checkSecrets whether referenced Secrets must exist even where no container sees their
 *     content
 * @param hostPaths absolute directories of the machine that pods may see as {@code hostPath}
 */
public record PodsConfig(
    Duration syncFrequency,
    Duration maxContainerBackOff,
    Duration fileCheckFrequency,
    Duration httpCheckFrequency,
    String containerLogMaxSize,
    List<String> allowedUnsafeSysctls,
    boolean checkSecrets,
    List<String> hostPaths) {
  /** A kubelet's reducedMaxCrashLoopBackOff. */
  public static final Duration REDUCED_MAX_BACK_OFF = Duration.ofSeconds(60);

  public PodsConfig {
    allowedUnsafeSysctls = List.copyOf(allowedUnsafeSysctls);
    hostPaths = List.copyOf(hostPaths);
    List<String> wrong =
        allowedUnsafeSysctls.stream().flatMap(one -> Sysctls.problem(one).stream()).toList();
    new Problems("/pods")
        .that(
            wrong.isEmpty(),
            "/allowedUnsafeSysctls",
            new JsonArray(allowedUnsafeSysctls),
            "is refused: " + String.join(", ", wrong))
        .that(
            hostPaths.stream().allMatch(PodsConfig::isDirectory),
            "/hostPaths",
            new JsonArray(hostPaths),
            "must be absolute paths without \"..\"")
        .range("/syncFrequency", syncFrequency, Duration.ofSeconds(1), Duration.ofHours(24))
        .range(
            "/maxContainerBackOff",
            maxContainerBackOff,
            Duration.ofSeconds(1),
            Duration.ofMinutes(5))
        .range(
            "/fileCheckFrequency", fileCheckFrequency, Duration.ofSeconds(1), Duration.ofHours(24))
        .range(
            "/httpCheckFrequency", httpCheckFrequency, Duration.ofSeconds(1), Duration.ofHours(24))
        .that(
            isSize(containerLogMaxSize),
            "/containerLogMaxSize",
            containerLogMaxSize,
            "must be a quantity of bytes other than 0, such as \"10Mi\"; below 0 is without end")
        .done(ConfigException::new);
  }

  private static boolean isDirectory(String text) {
    try {
      Path path = Path.of(text);
      return path.isAbsolute() && path.equals(path.normalize());
    } catch (InvalidPathException e) {
      return false;
    }
  }

  private static boolean isSize(String text) {
    try {
      return Quantities.parse("containerLogMaxSize", text) != null && Quantities.units(text) != 0;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /** Returns the bytes at which a log is rotated; {@link Long#MAX_VALUE} for never. */
  public long logBytes() {
    long bytes = Quantities.units(containerLogMaxSize);
    return bytes < 0 ? Long.MAX_VALUE : bytes;
  }
}
