package dev.vertlet.configsync.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.vertlet.configsync.source.ResolvedSource;
import dev.vertlet.configsync.store.SerializedSource.CorruptException;
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
 * Marks checkpoints that are being loaded: a file for each, from before its first byte is decoded
 * until the load has ended. A process that dies in between leaves the file, and the next process
 * does not load that config. Blocks.
 */
public final class LoadMarks {
  /** Prefix of the file names. */
  public static final String PREFIX = "loading-";

  private static final Logger LOG = LoggerFactory.getLogger(LoadMarks.class);

  private final StoreFiles files;
  private final Path directory;

  LoadMarks(StoreFiles files, Path directory) {
    this.files = files;
    this.directory = directory;
  }

  /** Writes a mark; without one if that fails, because a full disk must not prevent a load. */
  void begin(ResolvedSource source) {
    try {
      files.mark(file(source), SerializedSource.encode(source));
    } catch (IOException e) {
      LOG.atDebug().addKeyValue("error", e.getMessage()).log("start of a load cannot be recorded");
    }
  }

  void end(ResolvedSource source) throws IOException {
    try {
      files.delete(file(source));
    } catch (NoSuchFileException e) {
      // the mark could not be written
    }
  }

  /** Makes {@link #end} durable. */
  void sync() throws IOException {
    files.syncDirectory(directory);
  }

  /** Returns the configs whose load never ended. Removes unreadable marks. */
  Set<ResolvedSource> left() throws IOException {
    Set<ResolvedSource> left = new LinkedHashSet<>();
    for (String name : files.list(directory)) {
      if (name.startsWith(PREFIX)) {
        try {
          SerializedSource.decode(files.read(directory.resolve(name))).ifPresent(left::add);
        } catch (CorruptException e) {
          // its writer died before the load began
          files.delete(directory.resolve(name));
        }
      }
    }
    return left;
  }

  /** Removes the marks of deleted checkpoints. */
  void collect(Predicate<ResolvedSource> kept) throws IOException {
    for (ResolvedSource source : left()) {
      if (!kept.test(source)) {
        files.delete(file(source));
      }
    }
  }

  /** Name derived from all parts of a source. */
  private Path file(ResolvedSource source) {
    return directory.resolve(PREFIX + UUID.nameUUIDFromBytes(source.toString().getBytes(UTF_8)));
  }
}
