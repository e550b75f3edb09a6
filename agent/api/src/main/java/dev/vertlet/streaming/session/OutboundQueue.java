package dev.vertlet.streaming.session;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.vertx.core.Promise;
import java.util.ArrayDeque;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Sends the data of all streams of a connection in turn, and no faster than the client reads.
 * Confined to the connection's loop except {@link #onLoop}.
 */
final class OutboundQueue {
  interface Frames {
    /** Returns the bytes of a stream that the client can receive now. */
    int allowance(OutboundStream outlet);

    /**
     * Writes a frame.
     *
     * @param bytes must be released
     * @param last whether the stream ends with these bytes
     */
    void write(OutboundStream outlet, ByteBuf bytes, boolean last, ChannelPromise sent);
  }

  /** Longest frame: large enough for a low overhead, small enough for streams to alternate. */
  static final int PIECE = 64 * 1024;

  private final ChannelHandlerContext channel;
  private final LoopTasks tasks;
  private final Executor handlers;
  private final Frames frames;
  private final Runnable progress;
  private final ArrayDeque<OutboundStream> line = new ArrayDeque<>();
  private boolean pumping;
  private boolean flushing;
  private int unsent;
  private @Nullable Runnable emptied;

  /**
   * @param handlers runs the handlers of other components on the loop
   * @param progress called on the loop after data was sent
   */
  OutboundQueue(
      ChannelHandlerContext channel,
      LoopTasks tasks,
      Executor handlers,
      Frames frames,
      Runnable progress) {
    this.channel = channel;
    this.tasks = tasks;
    this.handlers = handlers;
    this.frames = frames;
    this.progress = progress;
  }

  OutboundStream open(int id) {
    return new OutboundStream(id, this);
  }

  Executor handlers() {
    return handlers;
  }

  /** Runs the task on the loop, in the order of the connection's tasks; thread-safe. */
  void onLoop(Runnable task) {
    tasks.run(task);
  }

  /** Queues a stream that may have data to send. */
  void line(OutboundStream outlet) {
    if (!outlet.lined && outlet.next() != null) {
      outlet.lined = true;
      line.add(outlet);
    }
    pump();
  }

  /** Sends as much as possible now. */
  void pump() {
    if (pumping) {
      return;
    }
    pumping = true;
    try {
      boolean sent = false;
      while (channel.channel().isWritable()) {
        OutboundStream outlet = line.poll();
        if (outlet == null) {
          break;
        }
        outlet.lined = false;
        if (send(outlet)) {
          sent = true;
        }
      }
      if (sent) {
        flushLater();
      }
    } finally {
      pumping = false;
    }
  }

  private boolean send(OutboundStream outlet) {
    OutboundStream.Chunk chunk = outlet.next();
    if (chunk == null) {
      return false;
    }
    int whole = chunk.bytes().readableBytes();
    int length = Math.min(whole, Math.min(PIECE, frames.allowance(outlet)));
    if (length <= 0 && whole > 0) {
      return false; // the stream is queued again when its window opens
    }
    boolean done = length == whole;
    ChannelPromise sent = channel.newPromise();
    if (done) {
      Promise<Void> promise = chunk.sent();
      sent.addListener(result -> settled(promise, result.cause()));
    }
    ByteBuf bytes = chunk.bytes().readRetainedSlice(length);
    // before the write, which may close the connection
    outlet.taken(length, done);
    if (!outlet.lined && outlet.next() != null) {
      outlet.lined = true;
      line.add(outlet);
    }
    progress.run();
    frames.write(outlet, bytes, chunk.last() && done, sent);
    return true;
  }

  private void settled(Promise<Void> promise, @Nullable Throwable failure) {
    if (failure == null) {
      progress.run();
      handlers.execute(promise::tryComplete);
    } else {
      handlers.execute(() -> promise.tryFail(failure));
    }
    unsent(-1);
  }

  /** Changes the number of chunks that wait or are being sent. */
  void unsent(int more) {
    unsent += more;
    tellEmptied();
  }

  /** Schedules one flush for everything written in this turn. */
  void flushLater() {
    if (!flushing) {
      flushing = true;
      channel
          .executor()
          .execute(
              () -> {
                flushing = false;
                channel.flush();
              });
    }
  }

  /** Calls {@code task} once nothing is left to send, possibly at once. */
  void whenEmpty(Runnable task) {
    emptied = task;
    tellEmptied();
  }

  private void tellEmptied() {
    Runnable task = emptied;
    if (task != null && unsent == 0) {
      emptied = null;
      task.run();
    }
  }
}
