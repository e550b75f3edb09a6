package dev.vertlet.content.file;

import java.nio.file.Path;
import java.util.List;

/**
 * Settings of content.
 *
 * @param podsDir absolute directory with a folder for each pod
 * @param hostPaths absolute directories that pods may see as {@code hostPath}, with everything
 *     below them; none by default
 * @param hostsFile of the machine, for pods on the network of their node
 * @param memory file systems in memory
 */
public record ContentOptions(
    Path podsDir, List<Path> hostPaths, Path hostsFile, MemoryVolumes memory) {
  /** {@code /etc/hosts}. */
  public static final Path HOSTS = Path.of("/etc/hosts");

  public ContentOptions {
    hostPaths = List.copyOf(hostPaths);
  }
}
