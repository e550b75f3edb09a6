package dev.vertlet.trace.record;

import dev.vertlet.trace.TraceEvent;
import dev.vertlet.trace.TraceException;
import dev.vertlet.trace.TraceHeader;
import dev.vertlet.trace.TraceReader;
import dev.vertlet.trace.TraceReader.Tail;
import dev.vertlet.trace.TraceWriter;
import dev.vertlet.trace.record.sanitize.Anonymizer;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.HexFormat;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The file of a recording: a new one, or one of the same cluster that is continued. Nothing else is
 * ever written to. Blocks; for one thread.
 */
final class RecordFile implements AutoCloseable {
  private static final int SALT_BYTES = 32;

  private final TraceWriter writer;
  private final FileChannel lock;
  private final TraceHeader header;
  private final boolean continued;

  private RecordFile(TraceWriter writer, FileChannel lock, TraceHeader header, boolean continued) {
    this.writer = writer;
    this.lock = lock;
    this.header = header;
    this.continued = continued;
  }

  /**
   * Reads the header of a file that is to be continued, before the cluster is asked anything.
   *
   * @return null if the file does not exist
   * @throws TraceException if it is no trace
   */
  static @Nullable TraceHeader peek(Path file) {
    if (!Files.exists(file)) {
      return null;
    }
    try (TraceReader reader = TraceReader.open(file, Tail.SKIP)) {
      return reader.header();
    }
  }

  /**
   * Returns what replaces names. The salt of an anonymized trace is in a file of its own beside it,
   * which only its owner may read: continuing needs it, and its holder can try out names.
   *
   * @throws TraceException if the salt of a trace that is continued is missing
   */
  static Anonymizer anonymizer(RecordOptions options, boolean continued) {
    if (!options.anonymize()) {
      return Anonymizer.NONE;
    }
    Path key = keyFile(options.file());
    try {
      if (Files.exists(key)) {
        return Anonymizer.salted(HexFormat.of().parseHex(Files.readString(key).strip()));
      }
      if (continued) {
        throw new TraceException(
            key + ": does not exist, without it the trace cannot be continued with the same names");
      }
      byte[] salt = new byte[SALT_BYTES];
      new SecureRandom().nextBytes(salt);
      createPrivate(key);
      Files.writeString(key, HexFormat.of().formatHex(salt) + "\n");
      return Anonymizer.salted(salt);
    } catch (IOException e) {
      throw new TraceException(key + ": cannot be used: " + e, e);
    } catch (IllegalArgumentException e) {
      throw new TraceException(key + ": is not the salt of a trace: hexadecimal digits are", e);
    }
  }

  static Path keyFile(Path file) {
    return file.resolveSibling(file.getFileName() + ".key");
  }

  private static void createPrivate(Path key) throws IOException {
    if (key.getFileSystem().supportedFileAttributeViews().contains("posix")) {
      Files.createFile(
          key, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    } else {
      Files.createFile(key);
    }
  }

  /**
   * Opens the file.
   *
   * @param seen is called for each event of a trace that is continued
   * @throws TraceException if the file is no trace of this cluster with these options, or another
   *     recorder writes to it
   */
  static RecordFile open(
      RecordOptions options,
      Anonymizer names,
      String cluster,
      Instant now,
      Consumer<TraceEvent> seen) {
    Path file = options.file();
    TraceHeader before = peek(file);
    TraceHeader wanted = options.header(now, cluster, names);
    if (before == null) {
      TraceWriter writer = TraceWriter.create(file, wanted);
      return new RecordFile(writer, lock(file), wanted, false);
    }
    requireSame(file, before, wanted);
    try {
      // held while a cut-off end is repaired, which may replace the file
      FileChannel first = lock(file);
      TraceWriter writer = TraceWriter.append(file, seen);
      first.close();
      return new RecordFile(writer, lock(file), before, true);
    } catch (IOException e) {
      throw new TraceException(file + ": cannot be locked: " + e, e);
    }
  }

  private static void requireSame(Path file, TraceHeader before, TraceHeader wanted) {
    if (!before.cluster().equals(wanted.cluster())) {
      throw new TraceException(file + ": is a trace of another cluster");
    }
    if (before.anonymized() != wanted.anonymized()) {
      throw new TraceException(
          file
              + ": was recorded "
              + (before.anonymized() ? "with" : "without")
              + " --anonymize and can only be continued so");
    }
    if (!before.namespaces().equals(wanted.namespaces())) {
      throw new TraceException(
          file + ": was recorded with other --namespaces: " + before.namespaces());
    }
    if (!before.kinds().equals(wanted.kinds())) {
      throw new TraceException(
          file + ": was recorded with other --kinds: " + before.kinds().keySet());
    }
  }

  private static FileChannel lock(Path file) {
    FileChannel channel = null;
    try {
      channel = FileChannel.open(file, StandardOpenOption.WRITE);
      FileLock lock = channel.tryLock();
      if (lock != null) {
        return channel;
      }
    } catch (OverlappingFileLockException e) {
      // of this process; as bad
    } catch (IOException e) {
      throw new TraceException(file + ": cannot be locked: " + e, e);
    }
    close(channel);
    throw new TraceException(file + ": another recorder writes to it");
  }

  private static void close(@Nullable FileChannel channel) {
    try {
      if (channel != null) {
        channel.close();
      }
    } catch (IOException e) {
      throw new TraceException("cannot be closed: " + e, e);
    }
  }

  TraceHeader header() {
    return header;
  }

  boolean continued() {
    return continued;
  }

  TraceWriter writer() {
    return writer;
  }

  @Override
  public void close() {
    writer.close();
    close(lock);
  }
}
