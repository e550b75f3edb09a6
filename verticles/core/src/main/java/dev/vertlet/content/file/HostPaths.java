package dev.vertlet.content.file;

import dev.vertlet.model.definition.VolumeDefinition.HostPath;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Checks {@code hostPath} volumes. Blocks.
 *
 * @see <a href="https://github.com/kubernetes/kubernetes/tree/v1.36.3/pkg/volume/hostpath">
 *     checkTypeInternal, kubelet 1.36.3</a>
 */
public final class HostPaths {
  /** File types in the mode of a file. */
  private static final int TYPE = 0170000;

  private static final int SOCKET = 0140000;
  private static final int BLOCK_DEVICE = 0060000;
  private static final int CHAR_DEVICE = 0020000;

  private final List<Path> allowed;

  /**
   * Creates a check.
   *
   * @param allowed absolute directories below which pods may have paths, and themselves
   */
  public HostPaths(List<Path> allowed) {
    this.allowed = List.copyOf(allowed);
  }

  /**
   * Checks a path, and creates it for the types that say so.
   *
   * @return what the path leads to, without symbolic links
   * @throws ContentException with the kubelet's message for a path that is not as its type says, or
   *     with a message of its own for a path that is not allowed
   */
  public Path check(HostPath source) throws ContentException, IOException {
    String path = source.path();
    if (Arrays.asList(path.split("/")).contains("..")) {
      throw new ContentException("invalid HostPath `" + path + "`: must not contain '..'");
    }
    Path host = Path.of(path);
    Path found = host.isAbsolute() ? allowed(host) : null;
    if (found == null) {
      throw new ContentException(
          "hostPath " + path + " is not allowed on this node: pods.hostPaths has no prefix of it");
    }
    checkType(host, source.type());
    return found;
  }

  /**
   * Returns what the symbolic links of a path lead to, if the path and that are below an allowed
   * directory; otherwise null.
   */
  private @Nullable Path allowed(Path path) throws IOException {
    Path normal = path.normalize();
    for (Path prefix : allowed) {
      if (normal.startsWith(prefix)) {
        Path found = real(normal);
        if (found.startsWith(real(prefix))) {
          return found;
        }
      }
    }
    return null;
  }

  /** Resolves the links of the part that exists. */
  private static Path real(Path path) throws IOException {
    Path existing = path;
    while (existing != null && !Files.exists(existing)) {
      if (Files.isSymbolicLink(existing)) {
        return Path.of("/"); // a dangling link leads nowhere that is allowed
      }
      existing = existing.getParent();
    }
    return existing == null
        ? path
        : existing.toRealPath().resolve(existing.relativize(path)).normalize();
  }

  private static void checkType(Path path, String type) throws ContentException, IOException {
    switch (type) {
      case "" -> {}
      case "DirectoryOrCreate" -> {
        if (Files.exists(path)) {
          require(Files.isDirectory(path), path, "a directory");
        } else {
          makeDirectory(path);
        }
      }
      case "Directory" -> require(Files.isDirectory(path), path, "a directory");
      case "FileOrCreate" -> {
        if (Files.exists(path)) {
          require(Files.isRegularFile(path), path, "a file");
        } else {
          makeFile(path);
        }
      }
      case "File" -> require(Files.isRegularFile(path), path, "a file");
      case "Socket" -> require(type(path) == SOCKET, path, "a socket file");
      case "CharDevice" -> require(type(path) == CHAR_DEVICE, path, "a character device");
      case "BlockDevice" -> require(type(path) == BLOCK_DEVICE, path, "a block device");
      default -> throw new ContentException(type + " is an invalid volume type");
    }
  }

  private static void require(boolean is, Path path, String what) throws ContentException {
    if (!is) {
      throw new ContentException("hostPath type check failed: " + path + " is not " + what);
    }
  }

  private static int type(Path path) {
    try {
      @Nullable Object mode = Files.getAttribute(path, "unix:mode");
      return mode instanceof Integer bits ? bits & TYPE : 0;
    } catch (IOException e) {
      return 0;
    }
  }

  private static void makeDirectory(Path path) throws IOException {
    Files.createDirectories(
        path, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
  }

  private static void makeFile(Path path) throws IOException {
    try {
      Files.createFile(
          path, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-r--r--")));
    } catch (FileAlreadyExistsException e) {
      return; // another pod has made it meanwhile
    }
  }
}
