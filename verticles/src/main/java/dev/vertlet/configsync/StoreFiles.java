package dev.vertlet.configsync;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;

/**
 * The little that a {@link CheckpointStore} needs of a file system. Everything blocks. What is
 * missing is a {@link java.nio.file.NoSuchFileException} unless said otherwise.
 */
interface StoreFiles {
  /** Whether there is anything of this name. */
  boolean exists(Path path) throws IOException;

  /** Not through a link. */
  boolean isDirectory(Path path) throws IOException;

  /** Names in a directory, sorted. */
  List<String> list(Path directory) throws IOException;

  byte[] read(Path file) throws IOException;

  Instant modified(Path path) throws IOException;

  /** Whether this process may write in a directory. */
  boolean writable(Path directory) throws IOException;

  /** Of mode 0700. */
  void createDirectory(Path directory) throws IOException;

  /** A new file of mode 0600, durable when this returns; its name is not. */
  void write(Path file, byte[] content) throws IOException;

  /**
   * A file of mode 0600, in place of one of its name. It outlives the process, and a loss of power
   * only when {@link #syncDirectory} was called since.
   */
  void mark(Path file, byte[] content) throws IOException;

  /** Makes durable which names the directory has. */
  void syncDirectory(Path directory) throws IOException;

  /** Atomically, in place of a file that has the name; a directory of that name is an error. */
  void rename(Path from, Path to) throws IOException;

  /** A file or an empty directory. */
  void delete(Path path) throws IOException;
}
