package dev.vertlet.simulated.shell;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.streams.ReadStream;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What programs read, one after the other: what one leaves is there for the next. The sender is
 * slowed down while no program reads.
 */
public final class Input {
  /** Tells a reader that there is no more, once. */
  private static final Buffer END = Buffer.buffer();

  private final Deque<Buffer> waiting = new ArrayDeque<>();
  private final @Nullable ReadStream<Buffer> stream;
  private @Nullable Reader reader;
  private boolean flowing;
  private boolean held;
  private boolean ended;
  private boolean delivering;
  private int unread;

  private record Reader(Consumer<Buffer> data, Runnable end, Output output) {}

  private Input(@Nullable ReadStream<Buffer> stream) {
    this.stream = stream;
  }

  /** One that nothing sends to but {@link #offer}, which slows nobody down. */
  static Input offered() {
    return new Input(null);
  }

  /** Reads a client's stream; null is one at its end. */
  public static Input of(@Nullable ReadStream<Buffer> stream, Serial serial) {
    Input input = new Input(stream);
    if (stream == null) {
      input.end();
      return input;
    }
    stream.pause();
    stream.exceptionHandler(failure -> serial.run(input::end));
    stream.endHandler(ended -> serial.run(input::end));
    stream.handler(buffer -> serial.run(() -> input.offer(buffer)));
    return input;
  }

  /** Something to read. */
  void offer(Buffer buffer) {
    if (buffer.length() > 0) {
      waiting.add(buffer);
      unread += buffer.length();
      deliver();
    }
  }

  /** Whoever reads now, or next, is told that it is over; the one after that reads on. */
  void endOnce() {
    waiting.add(END);
    unread++;
    deliver();
  }

  /** Nothing more comes. */
  void end() {
    ended = true;
    deliver();
  }

  /** Bytes that nobody has read, and ends, which count as one. */
  int unread() {
    return unread;
  }

  /** Forgets what nobody has read. */
  void discard() {
    waiting.clear();
    unread = 0;
  }

  /**
   * Reads until the end or {@link #stop}, and waits while the output is full.
   *
   * @param end called once, after the last
   * @param output where the reader writes
   */
  public void read(Consumer<Buffer> data, Runnable end, Output output) {
    reader = new Reader(data, end, output);
    held = false;
    deliver();
  }

  /** Reads no more; what comes waits for the next reader. */
  public void stop() {
    reader = null;
    deliver();
  }

  /** As {@link #stop()}, and gives back what was read too much. */
  void stop(Buffer rest) {
    if (rest.length() > 0) {
      waiting.addFirst(rest);
      unread += rest.length();
    }
    stop();
  }

  private void deliver() {
    if (delivering) {
      return; // a reader gives back, or the next one begins, while one is told something
    }
    delivering = true;
    try {
      while (reader != null && !held && (ended || !waiting.isEmpty())) {
        Reader told = reader;
        Buffer next = waiting.poll();
        if (next == null || next == END) {
          unread -= next == null ? 0 : 1;
          reader = null;
          told.end().run();
        } else {
          unread -= next.length();
          told.data().accept(next);
          holdWhileFull(told);
        }
      }
    } finally {
      delivering = false;
    }
    flow();
  }

  private void holdWhileFull(Reader told) {
    if (reader == told && told.output().full()) {
      held = true;
      told.output()
          .whenReady(
              () -> {
                if (reader == told) {
                  held = false;
                  deliver();
                }
              });
    }
  }

  private void flow() {
    boolean wanted = reader != null && !held;
    if (stream == null || ended || wanted == flowing) {
      return;
    }
    flowing = wanted;
    if (wanted) {
      stream.resume();
    } else {
      stream.pause();
    }
  }
}
