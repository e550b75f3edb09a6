package dev.vertlet.configsync.store;

import dev.vertlet.configsync.source.ResolvedSource;
import dev.vertlet.configsync.store.SerializedSource.CorruptException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The two records of a store, {@code assigned} and {@code last-known-good}, and the load marks.
 * Blocks.
 */
final class MetaFiles {
  static final String ASSIGNED = "assigned";
  static final String LAST_KNOWN_GOOD = "last-known-good";

  private static final Logger LOG = LoggerFactory.getLogger(MetaFiles.class);
  private static final String CORRUPT = ".corrupt-";
  private static final DateTimeFormatter STAMP =
      DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);

  private final StoreFiles files;
  private final AtomicWrites writes;
  private final Path directory;
  private final LoadMarks marks;

  MetaFiles(StoreFiles files, AtomicWrites writes, Path directory) {
    this.files = files;
    this.writes = writes;
    this.directory = directory;
    this.marks = new LoadMarks(files, directory);
  }

  /** Creates missing records for the local config. */
  void create() throws IOException {
    for (String name : new String[] {ASSIGNED, LAST_KNOWN_GOOD}) {
      if (!files.exists(directory.resolve(name))) {
        write(name, null);
      }
    }
  }

  /**
   * Reads both records and the marks.
   *
   * @param now time stamp in the names of preserved unreadable records
   */
  StoredMeta read(Instant now) throws IOException {
    return new StoredMeta(assigned(now), lastKnownGood(now), marks.left());
  }

  /**
   * Reads the assigned record; an unreadable one stays, so that the next process reports it, too.
   */
  private StoredMeta.Assigned assigned(Instant now) throws IOException {
    try {
      Optional<ResolvedSource> source = source(ASSIGNED);
      return source.isPresent()
          ? new StoredMeta.Assigned.Remote(source.get(), files.modified(file(ASSIGNED)))
          : new StoredMeta.Assigned.Local();
    } catch (CorruptException e) {
      keep(ASSIGNED, now, e);
      return new StoredMeta.Assigned.Corrupt(file(ASSIGNED) + " " + e.getMessage());
    }
  }

  private @Nullable ResolvedSource lastKnownGood(Instant now) throws IOException {
    try {
      return source(LAST_KNOWN_GOOD).orElse(null);
    } catch (CorruptException e) {
      keep(LAST_KNOWN_GOOD, now, e);
      write(LAST_KNOWN_GOOD, null);
      return null;
    }
  }

  LoadMarks marks() {
    return marks;
  }

  /**
   * Reads a record; empty for the local config.
   *
   * @throws CorruptException when the record cannot be read
   */
  Optional<ResolvedSource> source(String name) throws IOException, CorruptException {
    return SerializedSource.decode(files.read(file(name)));
  }

  private void keep(String name, Instant now, CorruptException why) throws IOException {
    byte[] content = files.read(file(name));
    for (String other : files.list(directory)) {
      boolean kept =
          other.startsWith(name + CORRUPT)
              && Arrays.equals(files.read(directory.resolve(other)), content);
      if (kept) {
        return;
      }
    }
    Path copy = file(name + CORRUPT + STAMP.format(now));
    writes.file(copy, content);
    LOG.atError()
        .addKeyValue("file", file(name))
        .addKeyValue("kept", copy)
        .addKeyValue("error", why.getMessage())
        .log("a record of the config cannot be read; its bytes are kept");
  }

  /**
   * Writes a record.
   *
   * @param source null for the local config
   * @return its time on disk
   */
  Instant write(String name, @Nullable ResolvedSource source) throws IOException {
    writes.file(file(name), SerializedSource.encode(source));
    return files.modified(file(name));
  }

  private Path file(String name) {
    return directory.resolve(name);
  }
}
