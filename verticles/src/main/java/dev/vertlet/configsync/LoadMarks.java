package dev.vertlet.configsync;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.vertlet.configsync.SerializedSource.CorruptException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which checkpoints are being loaded: a file for each, from before its first byte is decoded until
 * that has ended. A process that dies in between leaves the file, and the next one knows which
 * config not to touch. Blocks.
 */
final class LoadMarks {
  /** Of a file's name, before what tells sources apart. */
  static final String PREFIX = "loading-";

  private static final Logger LOG = LoggerFactory.getLogger(LoadMarks.class);

  private final StoreFiles files;
  private final Path directory;

  LoadMarks(StoreFiles files, Path directory) {
    this.files = files;
    this.directory = directory;
  }

  /** A full disk shall not keep a config from being loaded: then there is no mark. */
  void begin(ResolvedSource source) {
    try {
      files.mark(file(source), SerializedSource.encode(source));
    } catch (IOException e) {
      LOG.atDebug().addKeyValue("error", e.getMessage()).log("a load is not marked");
    }
  }

  void end(ResolvedSource source) throws IOException {
    try {
      files.delete(file(source));
    } catch (NoSuchFileException e) {
      // it could not be marked
    }
  }

  /** No loss of power brings back what {@link #end} took away. */
  void sync() throws IOException {
    files.syncDirectory(directory);
  }

  /** Those whose load never ended. What is none of them is removed. */
  Set<ResolvedSource> left() throws IOException {
    Set<ResolvedSource> left = new LinkedHashSet<>();
    for (String name : files.list(directory)) {
      if (name.startsWith(PREFIX)) {
        try {
          SerializedSource.decode(files.read(directory.resolve(name))).ifPresent(left::add);
        } catch (CorruptException e) {
          // its writer died before anything was loaded
          files.delete(directory.resolve(name));
        }
      }
    }
    return left;
  }

  /** Removes those of checkpoints that are no more. */
  void collect(Predicate<ResolvedSource> kept) throws IOException {
    for (ResolvedSource source : left()) {
      if (!kept.test(source)) {
        files.delete(file(source));
      }
    }
  }

  /** A name for all that a source is. */
  private Path file(ResolvedSource source) {
    return directory.resolve(PREFIX + UUID.nameUUIDFromBytes(source.toString().getBytes(UTF_8)));
  }
}
