package dev.vertlet.trace;

import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/**
 * Reads a trace from the start, one event at a time. Blocks; for one thread. Memory is that of one
 * line, whatever the file's size.
 */
public final class TraceReader implements AutoCloseable {
  /** 32 MiB: far more than the 1.5 MiB that etcd allows an object. */
  private static final int MAX_LINE = 32 << 20;

  /** What to do with a last line that a crash of the recorder has cut off. */
  public enum Tail {
    /** Fail: the trace is not whole. */
    REFUSE,
    /** Read what is before; {@link #cutOff()} says afterwards that something is missing. */
    SKIP
  }

  private final Path file;
  private final Tail tail;
  private final InputStream in;
  private final TraceHeader header;
  private byte[] line = new byte[4096];
  private int length;
  private long number;
  private long last;
  private boolean cutOff;

  private TraceReader(Path file, Tail tail, InputStream in) throws IOException {
    this.file = file;
    this.tail = tail;
    this.in = in;
    try {
      JsonObject first = readLine();
      if (first == null) {
        throw new TraceException("is cut off before the end of its first line");
      }
      this.header = TraceJson.header(first);
    } catch (TraceException e) {
      throw new TraceException(file + ": " + e.getMessage(), e);
    }
  }

  /**
   * Opens a trace and reads its header.
   *
   * @throws TraceException for a file that is absent, unreadable, not a trace, or of another
   *     version; the message names the file
   */
  public static TraceReader open(Path file, Tail tail) {
    InputStream raw = null;
    try {
      raw = Files.newInputStream(file);
      return new TraceReader(
          file, tail, new BufferedInputStream(new GZIPInputStream(buffered(raw), 1 << 16)));
    } catch (IOException | RuntimeException e) {
      close(raw, e);
      if (e instanceof TraceException known) {
        throw known;
      }
      throw new TraceException(file + ": " + describe(e), e);
    }
  }

  private static InputStream buffered(InputStream raw) {
    return new BufferedInputStream(raw, 1 << 16);
  }

  private static void close(@Nullable InputStream raw, Exception why) {
    if (raw != null) {
      try {
        raw.close();
      } catch (IOException e) {
        why.addSuppressed(e);
      }
    }
  }

  private static String describe(Exception e) {
    if (e instanceof NoSuchFileException) {
      return "does not exist";
    }
    if (e instanceof EOFException) {
      return "is cut off before the end of its first line";
    }
    return e instanceof ZipException
        ? "is not a trace: it is not compressed by gzip"
        : "cannot be read: " + e;
  }

  public TraceHeader header() {
    return header;
  }

  /** Returns the number of the line that was read last; the header is line 1. */
  public long line() {
    return number;
  }

  /** Returns whether the end of the file is cut off; known when {@link #next()} returned null. */
  public boolean cutOff() {
    return cutOff;
  }

  /**
   * Reads the next event.
   *
   * @return null at the end
   * @throws TraceException for a broken line, and with {@link Tail#REFUSE} for a cut-off one; the
   *     message names the file, the line and the field
   */
  public @Nullable TraceEvent next() {
    try {
      JsonObject json = readLine();
      if (json == null) {
        return null;
      }
      TraceEvent event = TraceJson.event(json);
      if (event.at() < last) {
        throw new TraceException("field t is " + event.at() + ", less than " + last + " before");
      }
      last = event.at();
      return event;
    } catch (TraceException e) {
      throw new TraceException(file + ": line " + number + ": " + e.getMessage(), e);
    } catch (IOException e) {
      throw new TraceException(file + ": line " + number + ": cannot be read: " + e, e);
    }
  }

  /** Returns null at the end, and where the rest is cut off. */
  private @Nullable JsonObject readLine() throws IOException {
    if (cutOff) {
      return null;
    }
    number++;
    length = 0;
    boolean whole;
    try {
      whole = readBytes();
    } catch (EOFException e) {
      return cut();
    } catch (ZipException e) {
      if (number == 1) {
        throw e;
      }
      throw new TraceException("is damaged: " + e.getMessage(), e);
    }
    if (!whole) {
      number--;
      return null;
    }
    try {
      return new JsonObject(new String(line, 0, length, StandardCharsets.UTF_8));
    } catch (DecodeException e) {
      throw new TraceException(
          number == 1 ? "is not a trace: its first line is not JSON" : "is not JSON", e);
    }
  }

  private @Nullable JsonObject cut() {
    cutOff = true;
    if (tail == Tail.REFUSE && number > 1) {
      throw new TraceException(
          "is cut off, as after a crash of the recorder; --cut-off reads what is before, and"
              + " recording into the file again continues it");
    }
    return null;
  }

  /** Returns false at the end of the file. */
  private boolean readBytes() throws IOException {
    for (int b = in.read(); b != '\n'; b = in.read()) {
      if (b < 0) {
        if (length == 0) {
          return false;
        }
        throw new EOFException();
      }
      if (length == line.length) {
        if (length >= MAX_LINE) {
          throw new TraceException("is longer than " + MAX_LINE + " bytes");
        }
        line = Arrays.copyOf(line, length * 2);
      }
      line[length++] = (byte) b;
    }
    return true;
  }

  @Override
  public void close() {
    try {
      in.close();
    } catch (IOException e) {
      throw new TraceException(file + ": cannot be closed: " + e, e);
    }
  }
}
