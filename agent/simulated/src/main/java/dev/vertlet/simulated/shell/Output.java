package dev.vertlet.simulated.shell;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.streams.WriteStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Output of programs. Drops data of a stream that the client did not ask for. */
public final class Output {
  private static final byte NEW_LINE = '\n';

  private final @Nullable WriteStream<Buffer> stream;
  private final boolean terminal;
  private final Serial serial;
  private Future<Void> last = Future.succeededFuture();
  private boolean broken;

  /**
   * @param terminal whether lines end with a carriage return as well, as on a terminal
   */
  public Output(@Nullable WriteStream<Buffer> stream, boolean terminal, Serial serial) {
    this.stream = stream;
    this.terminal = terminal;
    this.serial = serial;
  }

  /** Makes an output that drops everything. */
  static Output nowhere(Serial serial) {
    return new Output(null, false, serial);
  }

  public void write(Buffer buffer) {
    if (stream != null && !broken && buffer.length() > 0) {
      last = stream.write(terminal ? withReturns(buffer) : buffer);
    }
  }

  void write(String text) {
    write(Buffer.buffer(text.getBytes(StandardCharsets.UTF_8)));
  }

  public void line(String text) {
    write(text + "\n");
  }

  /** Whether the next write should wait. */
  boolean full() {
    return stream != null && stream.writeQueueFull();
  }

  /** Calls back when all data so far is written, or cannot be. */
  public void whenReady(Runnable then) {
    last.onComplete(
        done ->
            serial.run(
                () -> {
                  broken |= done.failed();
                  then.run();
                }));
  }

  /** Whether the client no longer reads; known once {@link #whenReady} has called back. */
  public boolean broken() {
    return broken;
  }

  /** Completes when all data so far is written; fails if it could not be. */
  public Future<Void> flushed() {
    return last;
  }

  private static Buffer withReturns(Buffer buffer) {
    Buffer made = Buffer.buffer(buffer.length() + 16);
    int from = 0;
    for (int i = 0; i < buffer.length(); i++) {
      if (buffer.getByte(i) == NEW_LINE) {
        made.appendBuffer(buffer, from, i - from).appendString("\r\n");
        from = i + 1;
      }
    }
    return made.appendBuffer(buffer, from, buffer.length() - from);
  }
}
