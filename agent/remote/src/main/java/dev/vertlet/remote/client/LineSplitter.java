package dev.vertlet.remote.client;

import io.vertx.core.buffer.Buffer;
import java.util.function.Consumer;

/** Splits a stream of bytes at line ends. An unfinished line is never passed on. */
final class LineSplitter {
  private static final byte END = '\n';

  private final int limit;
  private final Consumer<Buffer> line;
  private Buffer rest = Buffer.buffer();

  /**
   * @param limit bytes of the longest line
   * @param line called for each line that is not empty
   */
  LineSplitter(int limit, Consumer<Buffer> line) {
    this.limit = limit;
    this.line = line;
  }

  /**
   * Takes the next bytes.
   *
   * @return whether all lines are within the limit; after false, the stream cannot be read further
   */
  boolean feed(Buffer bytes) {
    int from = 0;
    for (int i = 0; i < bytes.length(); i++) {
      if (bytes.getByte(i) == END) {
        rest.appendBuffer(bytes, from, i - from);
        from = i + 1;
        if (rest.length() > limit) {
          return false;
        }
        Buffer whole = rest;
        rest = Buffer.buffer();
        if (whole.length() > 0) {
          line.accept(whole);
        }
      }
    }
    rest.appendBuffer(bytes, from, bytes.length() - from);
    return rest.length() <= limit;
  }
}
