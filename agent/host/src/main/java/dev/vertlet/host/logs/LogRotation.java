package dev.vertlet.host.logs;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.zip.GZIPOutputStream;

/**
 * Rotates the log of a container by renaming its file. The caller then has the writer open a new
 * one, and calls {@link #undo} if that fails. Every method blocks.
 *
 * @param log path of the file that grows
 * @param maxFiles files of the log at most, at least 2: the one that grows, and the newest rotated
 *     one, which stays uncompressed since its writer may not have left it; others are compressed
 * @see <a
 *     href="https://github.com/kubernetes/kubernetes/blob/v1.36.3/pkg/kubelet/logs/container_log_manager.go">
 *     rotateLog, kubelet 1.36.3</a>
 */
public record LogRotation(Path log, int maxFiles) {
  public LogRotation {
    if (maxFiles < 2) {
      throw new IllegalArgumentException("maxFiles: " + maxFiles + ", must be at least 2");
    }
  }

  /** Size of the file that grows in bytes; -1 if it is not there. */
  public long size() throws IOException {
    try {
      return Files.size(log);
    } catch (NoSuchFileException e) {
      return -1;
    }
  }

  /**
   * Removes the oldest files, compresses the others, and renames the one that grows.
   *
   * @return its new path
   */
  public Path rename(Instant now) throws IOException {
    RotatedNames names = new RotatedNames(log);
    names.removeRemains();
    Path renamed = names.at(now);
    TreeMap<String, Path> byTime = names.rotated();
    if (byTime.containsKey(names.time(renamed))) {
      throw new IOException(renamed + " exists: the log was rotated in this second already");
    }
    List<Path> rotated = new ArrayList<>(byTime.values());
    int excess = rotated.size() - (maxFiles - 2);
    for (int i = 0; i < rotated.size(); i++) {
      if (i < excess) {
        Files.deleteIfExists(rotated.get(i));
      } else if (!RotatedNames.isCompressed(rotated.get(i))) {
        compress(rotated.get(i));
      }
    }
    return Files.move(log, renamed, StandardCopyOption.ATOMIC_MOVE);
  }

  /** Gives a renamed file its name back, since its writer goes on with it. */
  public void undo(Path renamed) throws IOException {
    if (!Files.exists(log)) {
      Files.move(renamed, log, StandardCopyOption.ATOMIC_MOVE);
    }
  }

  private static void compress(Path file) throws IOException {
    Path part = file.resolveSibling(file.getFileName() + RotatedNames.PART);
    try {
      try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(part))) {
        Files.copy(file, out);
      }
      Files.setPosixFilePermissions(part, Files.getPosixFilePermissions(file));
      Files.move(
          part,
          file.resolveSibling(file.getFileName() + RotatedNames.COMPRESSED),
          StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(part);
    }
    Files.deleteIfExists(file);
  }
}
