package dev.vertlet.content.file;

import dev.vertlet.provider.content.ContentFile;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The directory of a volume whose files change together. Each version is a directory of its own,
 * and the link {@code ..data} leads to the newest one; visible names are links through it, so that
 * a reader never sees a part of a version. Blocks.
 *
 * @see <a
 *     href="https://github.com/kubernetes/kubernetes/blob/v1.36.3/pkg/volume/util/atomic_writer.go">
 *     AtomicWriter, kubelet 1.36.3</a>
 */
public final class VersionedDirectory {
  private static final String DATA = "..data";
  private static final String NEXT = "..data_tmp";
  private static final int DIRECTORY_MODE = 0755;

  /** As directories of kubelets are named, followed by a random number. */
  private static final DateTimeFormatter STAMP =
      DateTimeFormatter.ofPattern("'..'yyyy_MM_dd_HH_mm_ss.").withZone(ZoneOffset.UTC);

  private final Path directory;

  public VersionedDirectory(Path directory) {
    this.directory = directory;
  }

  /**
   * Makes a version the current one, unless it is already.
   *
   * @param files of the version, with valid paths
   * @param group the pod's fsGroup; null without one
   * @return whether anything was written
   */
  public boolean write(List<ContentFile> files, @Nullable Long group, Instant now)
      throws IOException {
    if (!Files.isDirectory(directory)) {
      Files.createDirectories(directory);
      FileModes.set(directory, DIRECTORY_MODE);
    }
    removeRemains();
    Path before = current();
    Set<String> old = before == null ? Set.of() : paths(before);
    Set<String> wanted = wanted(files);
    boolean changes = before == null || !old.equals(wanted) || differ(files, before);
    if (changes) {
      publish(files, group, now);
    }
    link(wanted);
    if (changes && before != null) {
      unlink(old, wanted);
      delete(before);
    }
    return changes;
  }

  /** Returns the directory of the current version; null without one. */
  @Nullable Path current() throws IOException {
    Path data = directory.resolve(DATA);
    return Files.isSymbolicLink(data) ? directory.resolve(Files.readSymbolicLink(data)) : null;
  }

  /** Removes what a process left that ended while it wrote. */
  private void removeRemains() throws IOException {
    Files.deleteIfExists(directory.resolve(NEXT));
    Path current = current();
    try (Stream<Path> all = Files.list(directory)) {
      for (Path path : (Iterable<Path>) all::iterator) {
        boolean version = path.getFileName().toString().startsWith("..");
        if (version
            && Files.isDirectory(path)
            && !Files.isSymbolicLink(path)
            && !path.equals(current)) {
          delete(path);
        }
      }
    }
  }

  private void publish(List<ContentFile> files, @Nullable Long group, Instant now)
      throws IOException {
    Path version = Files.createTempDirectory(directory, STAMP.format(now));
    try {
      FileModes.set(version, DIRECTORY_MODE);
      for (ContentFile file : files) {
        write(version, file);
      }
      FileModes.group(version, group, true);
      Path next = directory.resolve(NEXT);
      Files.createSymbolicLink(next, version.getFileName());
      Files.move(
          next,
          directory.resolve(DATA),
          StandardCopyOption.ATOMIC_MOVE,
          StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      Files.deleteIfExists(directory.resolve(NEXT));
      delete(version);
      throw e;
    }
  }

  private static void write(Path version, ContentFile file) throws IOException {
    Path path = version.resolve(file.path());
    Path parent = path.getParent();
    if (parent != null) {
      Files.createDirectories(parent);
    }
    for (Path made = parent; made != null && !made.equals(version); made = made.getParent()) {
      FileModes.set(made, DIRECTORY_MODE);
    }
    Files.write(path, file.bytes().getBytes());
    FileModes.set(path, file.mode());
    Long owner = file.owner();
    if (owner != null) {
      FileModes.own(path, owner);
    }
  }

  /** Returns all paths of a version, of directories, too. */
  private static Set<String> paths(Path version) throws IOException {
    if (!Files.isDirectory(version)) {
      return Set.of();
    }
    Set<String> paths = new TreeSet<>();
    try (Stream<Path> all = Files.walk(version)) {
      all.filter(path -> !path.equals(version))
          .forEach(path -> paths.add(version.relativize(path).toString()));
    }
    return paths;
  }

  private static Set<String> wanted(List<ContentFile> files) {
    Set<String> paths = new TreeSet<>();
    for (ContentFile file : files) {
      String path = file.path();
      paths.add(path);
      for (int at = path.indexOf('/'); at > 0; at = path.indexOf('/', at + 1)) {
        paths.add(path.substring(0, at));
      }
    }
    return paths;
  }

  private static boolean differ(List<ContentFile> files, Path version) throws IOException {
    for (ContentFile file : files) {
      try {
        byte[] there = Files.readAllBytes(version.resolve(file.path()));
        if (!Arrays.equals(there, file.bytes().getBytes())) {
          return true;
        }
      } catch (NoSuchFileException e) {
        return true;
      }
    }
    return false;
  }

  private static Set<String> visible(Set<String> paths) {
    Set<String> names = new HashSet<>();
    for (String path : paths) {
      int slash = path.indexOf('/');
      names.add(slash < 0 ? path : path.substring(0, slash));
    }
    return names;
  }

  private void link(Set<String> wanted) throws IOException {
    for (String name : visible(wanted)) {
      Path link = directory.resolve(name);
      if (!Files.isSymbolicLink(link)) {
        Files.createSymbolicLink(link, Path.of(DATA, name));
      }
    }
  }

  private void unlink(Set<String> old, Set<String> wanted) throws IOException {
    Set<String> gone = visible(old);
    gone.removeAll(visible(wanted));
    for (String name : gone) {
      Files.deleteIfExists(directory.resolve(name));
    }
  }

  /** Deletes a directory with everything in it; links are not followed. */
  static void delete(Path directory) throws IOException {
    if (!Files.exists(directory)) {
      return;
    }
    Files.walkFileTree(
        directory,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.deleteIfExists(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path visited, @Nullable IOException failure)
              throws IOException {
            if (failure != null) {
              throw failure;
            }
            Files.deleteIfExists(visited);
            return FileVisitResult.CONTINUE;
          }
        });
  }
}
