package dev.vertlet.content.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Modes and owners of files. Blocks.
 *
 * @see <a href="https://github.com/kubernetes/kubernetes/blob/v1.36.3/pkg/volume/volume_linux.go">
 *     VolumeOwnership, kubelet 1.36.3</a>
 */
public final class FileModes {
  private static final Logger LOG = LoggerFactory.getLogger(FileModes.class);

  private static final int BITS = 07777;
  private static final int READ = 0440;
  private static final int WRITE = 0660;
  private static final int ENTER = 0110;
  private static final int SET_GID = 02000;

  private FileModes() {}

  /** Sets permission bits whatever the process's umask. */
  public static void set(Path path, int mode) throws IOException {
    Files.setAttribute(path, "unix:mode", mode & BITS);
  }

  /**
   * Sets permission bits of a readable file or directory where a pod can write; fails for a
   * symbolic link, which may lead anywhere.
   */
  static void setUnlinked(Path path, int mode) throws IOException {
    Files.setAttribute(path, "unix:mode", mode & BITS, LinkOption.NOFOLLOW_LINKS);
  }

  static int of(Path path) throws IOException {
    return (int) Files.getAttribute(path, "unix:mode") & BITS;
  }

  /** Changes the owner; without the privilege the file keeps its own. */
  static void own(Path path, long uid) {
    change(path, "unix:uid", uid);
  }

  private static void change(Path path, String attribute, long id) {
    try {
      Files.setAttribute(path, attribute, (int) id, LinkOption.NOFOLLOW_LINKS);
    } catch (IOException | UnsupportedOperationException e) {
      LOG.atDebug()
          .addKeyValue("path", path)
          .addKeyValue("error", e.toString())
          .log("owner of a volume's file not changed");
    }
  }

  /**
   * Gives all files below a directory, and itself, to the pod's fsGroup.
   *
   * @param group null for a pod without one
   */
  public static void group(Path directory, @Nullable Long group, boolean readOnly)
      throws IOException {
    if (group == null) {
      return;
    }
    try (Stream<Path> all = Files.walk(directory)) {
      for (Path path : (Iterable<Path>) all::iterator) {
        change(path, "unix:gid", group);
        if (!Files.isSymbolicLink(path)) {
          int more = readOnly ? READ : WRITE;
          boolean enters = Files.isDirectory(path);
          set(path, of(path) | (enters ? more | ENTER | SET_GID : more));
        }
      }
    }
  }
}
