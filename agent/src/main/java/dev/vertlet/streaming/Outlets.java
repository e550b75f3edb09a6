package dev.vertlet.streaming;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.vertx.core.Promise;
import java.util.ArrayDeque;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Sends what the streams of a connection have, in turn and no faster than the client reads.
 * Confined to the connection's loop but for {@link #onLoop}.
 */
final class Outlets {
  /** Makes frames. */
  interface Frames {
    /** How many bytes the client takes of a stream now. */
    int allowance(Outlet outlet);

    /**
     * @param bytes to be released
     * @param last whether the stream ends with them
     */
    void write(Outlet outlet, ByteBuf bytes, boolean last, ChannelPromise sent);
  }

  /** Large enough that frames cost little, small enough that streams take turns. */
  static final int PIECE = 64 * 1024;

  private final ChannelHandlerContext channel;
  private final Executor handlers;
  private final Frames frames;
  private final Runnable progress;
  private final ArrayDeque<Outlet> line = new ArrayDeque<>();
  private boolean pumping;
  private boolean flushing;
  private int unsent;
  private @Nullable Runnable emptied;

  /**
   * @param handlers calls what others have set, on the loop
   * @param progress told on the loop when something was sent
   */
  Outlets(ChannelHandlerContext channel, Executor handlers, Frames frames, Runnable progress) {
    this.channel = channel;
    this.handlers = handlers;
    this.frames = frames;
    this.progress = progress;
  }

  Outlet open(int id) {
    return new Outlet(id, this);
  }

  Executor handlers() {
    return handlers;
  }

  /** Any thread. */
  void onLoop(Runnable task) {
    Tasks.run(channel.executor(), task);
  }

  /** Something of the stream may be sent. */
  void line(Outlet outlet) {
    if (!outlet.lined && outlet.next() != null) {
      outlet.lined = true;
      line.add(outlet);
    }
    pump();
  }

  /** Sends what can be sent now. */
  void pump() {
    if (pumping) {
      return;
    }
    pumping = true;
    try {
      boolean sent = false;
      while (channel.channel().isWritable()) {
        Outlet outlet = line.poll();
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

  private boolean send(Outlet outlet) {
    Outlet.Chunk chunk = outlet.next();
    if (chunk == null) {
      return false;
    }
    int whole = chunk.bytes().readableBytes();
    int length = Math.min(whole, Math.min(PIECE, frames.allowance(outlet)));
    if (length <= 0 && whole > 0) {
      return false; // its window opens and lines it up again
    }
    boolean done = length == whole;
    ChannelPromise sent = channel.newPromise();
    if (done) {
      Promise<Void> told = chunk.sent();
      sent.addListener(result -> settled(told, result.cause()));
    }
    ByteBuf bytes = chunk.bytes().readRetainedSlice(length);
    // before it is written, which may be the end of everything
    outlet.taken(length, done);
    if (!outlet.lined && outlet.next() != null) {
      outlet.lined = true;
      line.add(outlet);
    }
    progress.run();
    frames.write(outlet, bytes, chunk.last() && done, sent);
    return true;
  }

  private void settled(Promise<Void> told, @Nullable Throwable failure) {
    if (failure == null) {
      progress.run();
      handlers.execute(told::tryComplete);
    } else {
      handlers.execute(() -> told.tryFail(failure));
    }
    unsent(-1);
  }

  /** So many more chunks, or less, wait or are on their way. */
  void unsent(int more) {
    unsent += more;
    tellEmptied();
  }

  /** One flush for all that is written in this turn. */
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

  /** Calls {@code task} once when nothing waits to be sent any more, maybe at once. */
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
