package dev.vertlet.simulated.shell;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.streams.ReadStream;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Input of programs, one after another: what one leaves is there for the next. Slows the sender
 * down while no program reads.
 */
public final class Input {
  /** Marks one end of input for one reader. */
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

  /** Makes an input that only {@link #offer} fills, without back-pressure. */
  static Input offered() {
    return new Input(null);
  }

  /** Reads a client's stream; null is an empty one. */
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

  /** Adds data. */
  void offer(Buffer buffer) {
    if (buffer.length() > 0) {
      waiting.add(buffer);
      unread += buffer.length();
      deliver();
    }
  }

  /** Ends the input of the current or next reader; the reader after it continues. */
  void endOnce() {
    waiting.add(END);
    unread++;
    deliver();
  }

  /** Ends the input. */
  void end() {
    ended = true;
    deliver();
  }

  /** Number of unread bytes; each end counts as one. */
  int unread() {
    return unread;
  }

  /** Drops all unread data. */
  void discard() {
    waiting.clear();
    unread = 0;
  }

  /**
   * Reads until the end or {@link #stop}, and pauses while the output is full.
   *
   * @param end called once, after the last data
   * @param output that the reader writes to
   */
  public void read(Consumer<Buffer> data, Runnable end, Output output) {
    reader = new Reader(data, end, output);
    held = false;
    deliver();
  }

  /** Stops reading; later data waits for the next reader. */
  public void stop() {
    reader = null;
    deliver();
  }

  /** Stops reading as {@link #stop()} does, and gives back unused data. */
  void stop(Buffer rest) {
    if (rest.length() > 0) {
      waiting.addFirst(rest);
      unread += rest.length();
    }
    stop();
  }

  private void deliver() {
    if (delivering) {
      return; // called from within a reader; the running loop goes on
    }
    delivering = true;
    try {
      while (reader != null && !held && (ended || !waiting.isEmpty())) {
        Reader receiver = reader;
        Buffer next = waiting.poll();
        if (next == null || next == END) {
          unread -= next == null ? 0 : 1;
          reader = null;
          receiver.end().run();
        } else {
          unread -= next.length();
          receiver.data().accept(next);
          holdWhileFull(receiver);
        }
      }
    } finally {
      delivering = false;
    }
    flow();
  }

  private void holdWhileFull(Reader receiver) {
    if (reader == receiver && receiver.output().full()) {
      held = true;
      receiver
          .output()
          .whenReady(
              () -> {
                if (reader == receiver) {
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
