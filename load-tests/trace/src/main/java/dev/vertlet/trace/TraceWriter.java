package dev.vertlet.trace;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.function.Consumer;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * Writes a trace. Blocks; for one thread. Each writer adds one gzip member to the file; readers see
 * one stream. After {@link #flush()}, what was written survives a crash of the process.
 */
public final class TraceWriter implements AutoCloseable {
  private final Path file;
  private final CountingStream counter;
  private final OutputStream out;
  private long last;

  private TraceWriter(Path file, CountingStream counter, long last) throws IOException {
    this.file = file;
    this.counter = counter;
    this.out = new GZIPOutputStream(counter, 1 << 14, true);
    this.last = last;
  }

  /**
   * Begins a new trace.
   *
   * @throws TraceException if the file exists already or cannot be written
   */
  public static TraceWriter create(Path file, TraceHeader header) {
    try {
      TraceWriter writer = open(file, 0, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
      writer.line(TraceJson.of(header).encode());
      writer.flush();
      return writer;
    } catch (FileAlreadyExistsException e) {
      throw new TraceException(file + ": exists already", e);
    } catch (IOException e) {
      throw failed(file, e);
    }
  }

  /**
   * Continues a trace. Where a crash cut it off, the whole lines before are kept; the file is
   * replaced in one step, so that a second crash loses nothing.
   *
   * @param seen is called for each event that is in the file already; null for a caller that does
   *     not need them
   * @throws TraceException if the file is not a trace that can be read, or cannot be written
   */
  public static TraceWriter append(Path file, @Nullable Consumer<TraceEvent> seen) {
    try {
      boolean cut;
      long last = 0;
      try (TraceReader reader = TraceReader.open(file, TraceReader.Tail.SKIP)) {
        for (TraceEvent event = reader.next(); event != null; event = reader.next()) {
          last = event.at();
          if (seen != null) {
            seen.accept(event);
          }
        }
        cut = reader.cutOff();
      }
      if (cut) {
        keepWholeLines(file);
      }
      return open(file, last, StandardOpenOption.WRITE, StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw failed(file, e);
    }
  }

  private static void keepWholeLines(Path file) throws IOException {
    Path whole = file.resolveSibling(file.getFileName() + ".part");
    Files.deleteIfExists(whole);
    try (TraceReader reader = TraceReader.open(file, TraceReader.Tail.SKIP);
        TraceWriter writer = create(whole, reader.header())) {
      for (TraceEvent event = reader.next(); event != null; event = reader.next()) {
        writer.write(event);
      }
    }
    Files.move(whole, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
  }

  private static TraceWriter open(Path file, long last, OpenOption... how) throws IOException {
    OutputStream raw = Files.newOutputStream(file, how);
    try {
      return new TraceWriter(file, new CountingStream(raw), last);
    } catch (IOException e) {
      raw.close();
      throw e;
    }
  }

  /** Returns the offset of the event that was written last, in milliseconds; 0 before the first. */
  public long last() {
    return last;
  }

  /** Returns the number of compressed bytes that this writer has put into the file. */
  public long bytes() {
    return counter.count;
  }

  /**
   * Writes one event.
   *
   * @throws IllegalArgumentException if the event is earlier than the one before
   * @throws TraceException if the file cannot be written
   */
  public void write(TraceEvent event) {
    if (event.at() < last) {
      throw new IllegalArgumentException("event at " + event.at() + " ms after one at " + last);
    }
    try {
      line(TraceJson.of(event).encode());
      last = event.at();
    } catch (IOException e) {
      throw failed(file, e);
    }
  }

  private void line(String json) throws IOException {
    out.write(json.getBytes(StandardCharsets.UTF_8));
    out.write('\n');
  }

  /** Hands all that was written to the operating system. */
  public void flush() {
    try {
      out.flush();
    } catch (IOException e) {
      throw failed(file, e);
    }
  }

  @Override
  public void close() {
    try {
      out.close();
    } catch (IOException e) {
      throw failed(file, e);
    }
  }

  private static TraceException failed(Path file, IOException e) {
    return new TraceException(file + ": cannot be written: " + e, e);
  }

  private static final class CountingStream extends FilterOutputStream {
    private long count;

    CountingStream(OutputStream out) {
      super(out);
    }

    @Override
    public void write(int b) throws IOException {
      out.write(b);
      count++;
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      out.write(bytes, offset, length);
      count += length;
    }
  }
}
