package dev.vertlet.content.file;

import dev.vertlet.provider.container.FileIdentity;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Finds or creates the {@code subPath} of a volume that its pod can write. A symbolic link in the
 * volume may lead elsewhere in it, never out of it, even if the pod changes it meanwhile: every
 * directory of the resolved path is opened in the one before, without following links, and the
 * result has the identity of the file that was found there. Blocks.
 *
 * @see <a
 *     href="https://github.com/kubernetes/kubernetes/tree/v1.36.3/pkg/volume/util/subpath">doSafeOpen,
 *     doSafeMakeDir, kubelet 1.36.3</a>
 */
final class VolumePaths {
  /** How a file key of the JDK begins; there is no other access to what a stream has opened. */
  private static final Pattern KEY = Pattern.compile("\\(dev=([0-9a-f]+),ino=(\\d+)\\)");

  private VolumePaths() {}

  /**
   * A file or directory in a volume.
   *
   * @param path without symbolic links
   */
  record Found(Path path, FileIdentity identity) {}

  /**
   * Returns what a path names; creates missing directories with the mode of the volume.
   *
   * @param subPath relative, without {@code ..}
   * @throws IOException when the path leads out of the volume, or cannot be opened
   */
  static Found of(Path volume, String subPath) throws IOException {
    Path root = volume.toRealPath();
    Path wanted = root.resolve(subPath).normalize();
    if (!Files.exists(wanted)) {
      make(root, wanted);
    }
    Path real = wanted.toRealPath();
    within(root, real);
    return new Found(real, open(root, real));
  }

  private static void within(Path root, Path path) throws IOException {
    if (!path.startsWith(root)) {
      throw new IOException("path " + path + " is outside of allowed base " + root);
    }
  }

  /** Creates the missing directories of a path. */
  private static void make(Path root, Path wanted) throws IOException {
    Path existing = wanted;
    while (!existing.equals(root) && !Files.exists(existing)) {
      existing = Objects.requireNonNull(existing.getParent());
    }
    Path at = existing.toRealPath();
    within(root, at);
    for (Path name : existing.relativize(wanted)) {
      make(root, at, name);
      at = at.resolve(name);
    }
  }

  /**
   * Creates a directory in another one. There is no call that creates a directory in an open one,
   * so that it is created in the volume's root, which the pod cannot exchange, and moved.
   */
  private static void make(Path root, Path parent, Path name) throws IOException {
    try (SecureDirectoryStream<Path> from = stream(root);
        SecureDirectoryStream<Path> into = descend(root, parent)) {
      Path made = Files.createTempDirectory(root, ".subpath-");
      try {
        FileModes.setUnlinked(made, FileModes.of(root));
        from.move(Objects.requireNonNull(made.getFileName()), into, name);
      } catch (IOException e) {
        Files.deleteIfExists(made);
        throw e;
      }
    }
  }

  /** Opens a path without following links and returns the identity of what was opened. */
  static FileIdentity open(Path root, Path real) throws IOException {
    if (real.equals(root)) {
      return FileIdentity.of(root);
    }
    Path parent = Objects.requireNonNull(real.getParent());
    Path name = Objects.requireNonNull(real.getFileName());
    try (SecureDirectoryStream<Path> directory = descend(root, parent)) {
      BasicFileAttributes found =
          directory
              .getFileAttributeView(name, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
              .readAttributes();
      if (found.isSymbolicLink()) {
        throw new IOException("unexpected symlink found " + real);
      }
      return identity(found.fileKey());
    }
  }

  static FileIdentity identity(@Nullable Object key) throws IOException {
    Matcher parts = KEY.matcher(String.valueOf(key));
    if (!parts.matches()) {
      throw new IOException("the file system has no device and inode numbers");
    }
    return new FileIdentity(Long.parseLong(parts.group(1), 16), Long.parseLong(parts.group(2)));
  }

  /** Opens a directory below the root, one after another, without following links. */
  private static SecureDirectoryStream<Path> descend(Path root, Path directory) throws IOException {
    SecureDirectoryStream<Path> at = stream(root);
    for (Path name : root.relativize(directory)) {
      if (name.toString().isEmpty()) {
        continue;
      }
      try (SecureDirectoryStream<Path> parent = at) {
        at = enter(parent, name);
      }
    }
    return at;
  }

  /**
   * Opens a directory in an open one. The name of its {@code .} makes the kernel open nothing but a
   * directory: a pipe that a pod puts there would be waited for. A link would be followed by that,
   * so that the parent of what was opened must be the one that it was opened in.
   */
  private static SecureDirectoryStream<Path> enter(SecureDirectoryStream<Path> parent, Path name)
      throws IOException {
    SecureDirectoryStream<Path> entered = parent.newDirectoryStream(name.resolve("."));
    try {
      if (!key(parent, Path.of(".")).equals(key(entered, Path.of("..")))) {
        throw new IOException("unexpected symlink found " + name);
      }
      return entered;
    } catch (IOException e) {
      entered.close();
      throw e;
    }
  }

  private static FileIdentity key(SecureDirectoryStream<Path> directory, Path name)
      throws IOException {
    return identity(
        directory
            .getFileAttributeView(name, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
            .readAttributes()
            .fileKey());
  }

  private static SecureDirectoryStream<Path> stream(Path directory) throws IOException {
    DirectoryStream<Path> opened = Files.newDirectoryStream(directory);
    if (opened instanceof SecureDirectoryStream<Path> secure) {
      return secure;
    }
    opened.close();
    throw new IOException("the file system has no safe access to directories");
  }
}
