package dev.vertlet.configsync.store;

import dev.vertlet.configsync.source.ResolvedSource;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Writes files so that a crash or a power loss leaves either the whole content or nothing: writes
 * to a temporary name beside the target, makes it durable, then renames it. Names of leftovers
 * begin with {@code tmp_}; names of targets never do. Blocks.
 */
final class AtomicWrites {
  private static final String TEMPORARY = ResolvedSource.TEMPORARY;

  /** Prefix of names that are about to be deleted. */
  private static final String GARBAGE = TEMPORARY + "gc_";

  private final StoreFiles files;
  private final Supplier<String> suffixes;

  /**
   * Creates a writer.
   *
   * @param suffixes letters and digits, unique on each call
   */
  AtomicWrites(StoreFiles files, Supplier<String> suffixes) {
    this.files = files;
    this.suffixes = suffixes;
  }

  void file(Path target, byte[] content) throws IOException {
    Path temporary = beside(target, TEMPORARY);
    try {
      files.write(temporary, content);
      files.rename(temporary, target);
    } catch (IOException e) {
      discard(temporary, e);
      throw e;
    }
    files.syncDirectory(parent(target));
  }

  /**
   * Writes a directory of files.
   *
   * @param target may exist: it is then replaced, and missing only for the moment between two
   *     renames
   * @param content by name
   */
  void directory(Path target, Map<String, byte[]> content) throws IOException {
    Path temporary = beside(target, TEMPORARY);
    try {
      files.createDirectory(temporary);
      for (Map.Entry<String, byte[]> each : content.entrySet()) {
        files.write(temporary.resolve(each.getKey()), each.getValue());
      }
      files.syncDirectory(temporary);
      if (files.exists(target)) {
        swap(temporary, target);
      } else {
        files.rename(temporary, target);
        files.syncDirectory(parent(target));
      }
    } catch (IOException e) {
      discard(temporary, e);
      throw e;
    }
  }

  private void swap(Path temporary, Path target) throws IOException {
    Path old = setAside(target);
    try {
      files.rename(temporary, target);
    } catch (IOException e) {
      files.rename(old, target);
      throw e;
    }
    files.syncDirectory(parent(target));
    delete(old);
  }

  /** Creates a directory and its missing parents. */
  void directories(Path directory) throws IOException {
    if (!files.exists(directory)) {
      Path parent = parent(directory);
      directories(parent);
      create(directory);
      files.syncDirectory(parent);
    }
  }

  /** Creates a directory; another store may have created a shared one in the meantime. */
  private void create(Path directory) throws IOException {
    try {
      files.createDirectory(directory);
    } catch (FileAlreadyExistsException e) {
      if (!files.isDirectory(directory)) {
        throw e;
      }
    }
  }

  /** Removes a file or directory: after a crash its name has the whole content, or is gone. */
  void remove(Path target) throws IOException {
    Path garbage = setAside(target);
    // otherwise a power loss could restore the name with part of its content
    files.syncDirectory(parent(target));
    delete(garbage);
  }

  private Path setAside(Path target) throws IOException {
    Path garbage = beside(target, GARBAGE);
    files.rename(target, garbage);
    return garbage;
  }

  /** Removes the leftovers of crashes from a directory. */
  void clean(Path directory) throws IOException {
    for (String name : files.list(directory)) {
      if (name.startsWith(TEMPORARY)) {
        delete(directory.resolve(name));
      }
    }
  }

  private void delete(Path path) throws IOException {
    if (files.isDirectory(path)) {
      for (String name : files.list(path)) {
        delete(path.resolve(name));
      }
    }
    files.delete(path);
  }

  /** Deletes a partial write, so that it does not keep a full disk full. */
  private void discard(Path temporary, IOException failure) {
    try {
      if (files.exists(temporary)) {
        delete(temporary);
      }
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
  }

  private Path beside(Path target, String prefix) {
    return target.resolveSibling(prefix + target.getFileName() + suffixes.get());
  }

  static Path parent(Path path) throws IOException {
    Path parent = path.getParent();
    if (parent == null) {
      throw new IOException(path + " has no parent directory");
    }
    return parent;
  }
}
