package dev.vertlet.host.logs;

import java.io.IOException;
import java.nio.channels.FileChannel;
import org.jspecify.annotations.Nullable;

/** An open file of a container's log, and its neighbours. Every method blocks. */
public interface LogFile extends AutoCloseable {
  /** The content; readable as long as this is open, also when the file is renamed or removed. */
  FileChannel channel();

  /** Whether nothing more is written to the file. */
  boolean complete() throws IOException;

  /**
   * Opens the file that was written after this one, or the oldest later one if that was removed.
   *
   * @return null if the writer has not begun it yet
   */
  @Nullable LogFile next() throws IOException;

  /**
   * Opens the file that was written before this one.
   *
   * @return null if there is none, or none any more
   */
  @Nullable LogFile previous() throws IOException;

  @Override
  default void close() throws IOException {
    channel().close();
  }
}
