package dev.vertlet.configsync;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Writes that are there as a whole or not at all, whenever the process or the power goes: under a
 * name beside the target, made durable, then renamed. What a crash leaves begins with {@code tmp_},
 * which no target does. Blocks.
 */
final class AtomicWrites {
  /** Of names that mean nothing; no uid or version begins so. */
  static final String TEMPORARY = "tmp_";

  /** Of what is about to be deleted. */
  private static final String GARBAGE = TEMPORARY + "gc_";

  private final StoreFiles files;
  private final Supplier<String> suffixes;

  /**
   * @param suffixes letters and digits that are new each time
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
   * A directory of files.
   *
   * @param target may exist: then it is replaced, and gone only for the moment between two renames
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

  /** Makes a directory and those above it that are missing. */
  void directories(Path directory) throws IOException {
    if (!files.exists(directory)) {
      Path parent = parent(directory);
      directories(parent);
      create(directory);
      files.syncDirectory(parent);
    }
  }

  /** What stores share, another one may have made in the meantime. */
  private void create(Path directory) throws IOException {
    try {
      files.createDirectory(directory);
    } catch (FileAlreadyExistsException e) {
      if (!files.isDirectory(directory)) {
        throw e;
      }
    }
  }

  /** Removes a file or directory: a crash leaves all of it, or none under its name. */
  void remove(Path target) throws IOException {
    Path garbage = setAside(target);
    // else a power loss could bring the name back, and not all that was under it
    files.syncDirectory(parent(target));
    delete(garbage);
  }

  private Path setAside(Path target) throws IOException {
    Path garbage = beside(target, GARBAGE);
    files.rename(target, garbage);
    return garbage;
  }

  /** Removes what crashes left in a directory. */
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

  /** A full disk shall not stay full of halves. */
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
