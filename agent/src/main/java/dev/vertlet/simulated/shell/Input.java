package dev.vertlet.simulated.shell;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.streams.ReadStream;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What programs read, one after the other: what one leaves is there for the next. Whoever sends is
 * told when nobody wants more.
 */
public final class Input {
  /** Tells a reader that there is no more, once. */
  private static final Buffer END = Buffer.buffer();

  private final Deque<Buffer> waiting = new ArrayDeque<>();
  private final Consumer<Boolean> demand;
  private @Nullable Consumer<Buffer> reader;
  private @Nullable Runnable atEnd;
  private boolean paused;
  private boolean ended;
  private boolean delivering;
  private int unread;

  /**
   * @param demand told true when somebody reads, false when nobody does
   */
  Input(Consumer<Boolean> demand) {
    this.demand = demand;
  }

  /** One that is at its end. */
  static Input none() {
    Input input = new Input(wanted -> {});
    input.end();
    return input;
  }

  /** Reads a client's stream, which is not touched before somebody reads. */
  public static Input of(@Nullable ReadStream<Buffer> stream, Serial serial) {
    if (stream == null) {
      return none();
    }
    Source source = new Source(stream, serial);
    source.input = new Input(source);
    return source.input;
  }

  /** Sets its handlers when somebody reads for the first time. */
  private static final class Source implements Consumer<Boolean> {
    private final ReadStream<Buffer> stream;
    private final Serial serial;
    private boolean opened;
    private Input input = new Input(wanted -> {});

    Source(ReadStream<Buffer> stream, Serial serial) {
      this.stream = stream;
      this.serial = serial;
    }

    @Override
    public void accept(Boolean wanted) {
      if (!wanted) {
        if (opened) {
          stream.pause();
        }
        return;
      }
      if (opened) {
        stream.resume();
        return;
      }
      opened = true;
      Input to = input;
      stream.exceptionHandler(failure -> serial.run(to::end));
      stream.endHandler(ended -> serial.run(to::end));
      stream.handler(buffer -> serial.run(() -> to.offer(buffer)));
    }
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
   * Reads until the end or {@link #stop}.
   *
   * @param end called once, after the last
   */
  public void read(Consumer<Buffer> data, Runnable end) {
    reader = data;
    atEnd = end;
    paused = false;
    deliver();
    wanted();
  }

  /** Reads no more; what comes waits for the next reader. */
  public void stop() {
    if (reader != null) {
      reader = null;
      atEnd = null;
      demand.accept(false);
    }
  }

  /** As {@link #stop}, and gives back what was read too much. */
  void stop(Buffer rest) {
    if (rest.length() > 0) {
      waiting.addFirst(rest);
      unread += rest.length();
    }
    stop();
  }

  /** Nothing comes before {@link #resume}. */
  public void pause() {
    paused = true;
    demand.accept(false);
  }

  /** Goes on reading. */
  public void resume() {
    paused = false;
    deliver();
    wanted();
  }

  private void wanted() {
    if (reader != null && !paused && !ended) {
      demand.accept(true);
    }
  }

  private void deliver() {
    if (delivering) {
      return; // a reader gives back, or the next one begins, while one is told something
    }
    delivering = true;
    try {
      while (reader != null && !paused && (ended || !waiting.isEmpty())) {
        Buffer next = waiting.poll();
        unread -= next == null ? 0 : next == END ? 1 : next.length();
        if (next == null || next == END) {
          Runnable end = atEnd;
          stop();
          if (end != null) {
            end.run();
          }
        } else {
          reader.accept(next);
        }
      }
    } finally {
      delivering = false;
    }
  }
}
