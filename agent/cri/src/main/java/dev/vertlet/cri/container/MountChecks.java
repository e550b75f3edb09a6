package dev.vertlet.cri.container;

import dev.vertlet.provider.container.ContainerMount;
import dev.vertlet.provider.container.FileIdentity;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Checks that what a container has mounted for a {@code subPath} is what was in the volume: the pod
 * may have swapped a directory for a symbolic link that leads out of it. Methods block.
 */
final class MountChecks {
  private MountChecks() {}

  /** Whether no mount needs a check. */
  static boolean none(List<ContainerMount> mounts) {
    return mounts.stream().allMatch(mount -> mount.identity() == null);
  }

  /**
   * Checks the paths that are about to be mounted.
   *
   * @throws IOException when one was swapped
   */
  static void before(List<ContainerMount> mounts) throws IOException {
    for (ContainerMount mount : mounts) {
      if (mount.identity() != null) {
        compare(mount, mount.hostPath());
      }
    }
  }

  /**
   * Checks what a container has mounted.
   *
   * @param info verbose part of the container's status, with its process id
   * @throws IOException when a path was swapped, or the container's files cannot be seen
   */
  static void after(List<ContainerMount> mounts, Map<String, String> info) throws IOException {
    long pid = pid(info);
    Path process = Path.of("/proc", Long.toString(pid));
    if (pid > 0 && !Files.exists(process)) {
      return; // it has ended: nothing can be seen of it, and it can do nothing more
    }
    Path root = process.resolve("root");
    for (ContainerMount mount : mounts) {
      if (mount.identity() != null) {
        compare(mount, root.resolve(mount.containerPath().substring(1)));
      }
    }
  }

  private static long pid(Map<String, String> info) throws IOException {
    try {
      return new JsonObject(info.getOrDefault("info", "{}")).getLong("pid", 0L);
    } catch (DecodeException | ClassCastException e) {
      throw new IOException("the runtime does not tell the process of a container", e);
    }
  }

  private static void compare(ContainerMount mount, Path path) throws IOException {
    if (!FileIdentity.of(path).equals(mount.identity())) {
      throw new IOException(
          "the subPath of volume \""
              + mount.volume()
              + "\" at "
              + mount.containerPath()
              + " was changed while it was mounted");
    }
  }
}
