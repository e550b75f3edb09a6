package dev.vertlet.configsync.store;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;

/**
 * File system operations of a {@link CheckpointStore}. All of them block. A missing file causes a
 * {@link java.nio.file.NoSuchFileException} unless documented otherwise.
 */
public interface StoreFiles {
  /** Whether the path exists. */
  boolean exists(Path path) throws IOException;

  /** Whether the path is a directory; does not follow links. */
  boolean isDirectory(Path path) throws IOException;

  /** Names in a directory, sorted. */
  List<String> list(Path directory) throws IOException;

  byte[] read(Path file) throws IOException;

  Instant modified(Path path) throws IOException;

  /** Whether this process may write in a directory. */
  boolean writable(Path directory) throws IOException;

  /** Creates a directory of mode 0700. */
  void createDirectory(Path directory) throws IOException;

  /** Writes a new file of mode 0600; its content is durable on return, its name is not. */
  void write(Path file, byte[] content) throws IOException;

  /**
   * Writes or replaces a file of mode 0600. It survives the end of the process, but a power loss
   * only after a later {@link #syncDirectory}.
   */
  void mark(Path file, byte[] content) throws IOException;

  /** Makes the names in the directory durable. */
  void syncDirectory(Path directory) throws IOException;

  /**
   * Renames atomically and replaces a file of the new name; a directory of that name is an error.
   */
  void rename(Path from, Path to) throws IOException;

  /** Deletes a file or an empty directory. */
  void delete(Path path) throws IOException;
}
