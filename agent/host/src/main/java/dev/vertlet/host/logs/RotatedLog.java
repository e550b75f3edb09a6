package dev.vertlet.host.logs;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/**
 * A log whose files are rotated by {@link LogRotation}, as a kubelet names them. The writer opens a
 * new file some time after the old one was renamed, and may write to the old one until then. Every
 * method blocks.
 *
 * @param path of the file that grows
 */
public record RotatedLog(Path path) implements LogFiles {
  /** As long as a writer may still write to the old file after it has made the new one. */
  private static final long SETTLE_MILLIS = 50;

  /** Bytes by which a file is recognised after it was compressed: time and begin of a line. */
  private static final int HEAD = 256;

  private RotatedNames names() {
    return new RotatedNames(path);
  }

  @Override
  public @Nullable LogFile first() throws IOException {
    return after("");
  }

  @Override
  public @Nullable LogFile last() throws IOException {
    while (true) {
      Map.Entry<String, Path> newest = names().rotated().lastEntry();
      LogFile found = current(newest == null ? "" : newest.getKey());
      if (found != null) {
        return found;
      }
      // between the rotation and the new file, the one before it grows
      if (newest == null) {
        return null;
      }
      try {
        return open(newest.getKey(), newest.getValue());
      } catch (NoSuchFileException e) {
        // compressed or removed meanwhile
      }
    }
  }

  /** Opens the oldest file that was rotated after this time, else the one that grows. */
  private @Nullable LogFile after(String time) throws IOException {
    while (true) {
      TreeMap<String, Path> rotated = names().rotated();
      Map.Entry<String, Path> oldest = rotated.higherEntry(time);
      if (oldest == null) {
        return current(rotated.isEmpty() ? "" : rotated.lastKey());
      }
      try {
        return open(oldest.getKey(), oldest.getValue());
      } catch (NoSuchFileException e) {
        // compressed or removed meanwhile
      }
    }
  }

  /**
   * Opens the file that grows.
   *
   * @param newest time of the newest rotated file; empty without one
   * @return null if it is not there, or was rotated since
   */
  private @Nullable LogFile current(String newest) throws IOException {
    FileChannel channel;
    try {
      channel = FileChannel.open(path, StandardOpenOption.READ);
    } catch (NoSuchFileException e) {
      return null;
    }
    Object key = key(path);
    TreeMap<String, Path> rotated = names().rotated();
    if (key != null && newest.equals(rotated.isEmpty() ? "" : rotated.lastKey())) {
      return new Current(this, channel, newest, key);
    }
    channel.close(); // it is not certain which file this is
    return current(rotated.isEmpty() ? "" : rotated.lastKey());
  }

  private static @Nullable Object key(Path file) throws IOException {
    try {
      return Files.readAttributes(file, BasicFileAttributes.class).fileKey();
    } catch (NoSuchFileException e) {
      return null;
    }
  }

  private LogFile open(String time, Path file) throws IOException {
    return new Rotated(
        this,
        RotatedNames.isCompressed(file)
            ? decompressed(file)
            : FileChannel.open(file, StandardOpenOption.READ),
        time);
  }

  /** Returns the content of a compressed file, in a file that goes when it is closed. */
  private static FileChannel decompressed(Path file) throws IOException {
    Path content = Files.createTempFile("vertlet-log", "");
    try {
      try (InputStream in = new GZIPInputStream(Files.newInputStream(file))) {
        Files.copy(in, content, StandardCopyOption.REPLACE_EXISTING);
      }
      return FileChannel.open(content, StandardOpenOption.READ, StandardOpenOption.DELETE_ON_CLOSE);
    } catch (IOException e) {
      Files.deleteIfExists(content);
      throw e;
    }
  }

  /** A file that was rotated before it was opened. */
  private record Rotated(RotatedLog all, FileChannel channel, String time) implements LogFile {
    @Override
    public boolean complete() throws IOException {
      // the newest one grows until there is a new file
      return Files.exists(all.path) || all.names().rotated().higherKey(time) != null;
    }

    @Override
    public @Nullable LogFile next() throws IOException {
      return all.after(time);
    }

    @Override
    public @Nullable LogFile previous() throws IOException {
      return all.before(time, false);
    }
  }

  /** Opens the newest file that was rotated before this time, or at it. */
  private @Nullable LogFile before(String time, boolean inclusive) throws IOException {
    while (true) {
      Map.Entry<String, Path> file = names().rotated().headMap(time, inclusive).lastEntry();
      if (file == null) {
        return null;
      }
      try {
        return open(file.getKey(), file.getValue());
      } catch (NoSuchFileException e) {
        // compressed or removed meanwhile
      }
    }
  }

  /**
   * The file that grew when it was opened.
   *
   * @param newest time of the newest file that was rotated before; empty without one
   * @param key identity of the file, which no other has while this is open
   */
  private record Current(RotatedLog all, FileChannel channel, String newest, Object key)
      implements LogFile {
    @Override
    public boolean complete() throws IOException {
      Object now = RotatedLog.key(all.path);
      if (now == null || now.equals(key)) {
        return false;
      }
      try {
        Thread.sleep(SETTLE_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("interrupted while a log was rotated");
      }
      return true;
    }

    @Override
    public @Nullable LogFile next() throws IOException {
      for (Map.Entry<String, Path> file : all.names().rotated().tailMap(newest, false).entrySet()) {
        if (isThis(file.getValue())) {
          return all.after(file.getKey());
        }
      }
      return all.after(newest); // this one was removed
    }

    /** Whether a rotated file is this one, which may have been compressed since. */
    private boolean isThis(Path file) throws IOException {
      if (!RotatedNames.isCompressed(file)) {
        return key.equals(RotatedLog.key(file));
      }
      byte[] own = new byte[HEAD];
      int length = Math.max(0, channel.read(ByteBuffer.wrap(own), 0));
      try (InputStream in = new GZIPInputStream(Files.newInputStream(file))) {
        byte[] other = in.readNBytes(HEAD);
        return Arrays.equals(own, 0, length, other, 0, other.length);
      } catch (NoSuchFileException e) {
        return false;
      }
    }

    @Override
    public @Nullable LogFile previous() throws IOException {
      return newest.isEmpty() ? null : all.before(newest, true);
    }
  }
}
