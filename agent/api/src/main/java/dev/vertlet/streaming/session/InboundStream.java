package dev.vertlet.streaming.session;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.internal.buffer.BufferInternal;
import io.vertx.core.streams.ReadStream;
import java.util.ArrayDeque;
import java.util.concurrent.Executor;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Data from a client on one stream. Its public methods are thread-safe; its state belongs to the
 * loop, to which they delegate.
 */
public final class InboundStream implements ReadStream<Buffer> {
  private final LoopTasks tasks;
  private final Executor handlers;
  private final IntConsumer freed;
  private final ArrayDeque<Buffer> waiting = new ArrayDeque<>();
  private @Nullable Handler<Buffer> handler;
  private @Nullable Handler<Void> endHandler;
  private @Nullable Handler<Throwable> exceptionHandler;
  private long demand = Long.MAX_VALUE;
  private boolean unwanted;
  private boolean delivering;
  private boolean over;

  /** Whether the end has been reached, possibly before a handler was set. */
  private boolean endReached;

  private @Nullable Throwable failure;

  /**
   * @param handlers runs the handlers of other components on the loop
   * @param freed receives, on the loop, the number of bytes that left the buffer
   */
  InboundStream(LoopTasks tasks, Executor handlers, IntConsumer freed) {
    this.tasks = tasks;
    this.handlers = handlers;
    this.freed = freed;
  }

  /** Copies the bytes, as a frame shares memory with everything that was read at once. */
  void add(ByteBuf bytes) {
    int length = bytes.readableBytes();
    if (over || unwanted) {
      freed.accept(length);
    } else if (length > 0) {
      ByteBuf copy = Unpooled.buffer(length, length).writeBytes(bytes);
      waiting.add(BufferInternal.buffer(copy));
      deliver();
    }
  }

  void end() {
    over = true;
    deliver();
  }

  /** Ends the stream early. */
  void fail(Throwable cause) {
    if (endReached || failure != null) {
      return;
    }
    over = true;
    failure = cause;
    drop();
    tellFailure();
  }

  /** Discards buffered and later data; the end handler is not called. */
  public void discard() {
    unwanted = true;
    drop();
  }

  private void drop() {
    int bytes = 0;
    for (Buffer buffer : waiting) {
      bytes += buffer.length();
    }
    waiting.clear();
    freed.accept(bytes);
  }

  private void deliver() {
    if (delivering) {
      return; // a handler requests more: the outer loop continues
    }
    delivering = true;
    try {
      Handler<Buffer> reader = handler;
      while (reader != null && demand > 0 && !waiting.isEmpty()) {
        Handler<Buffer> one = reader;
        Buffer next = waiting.remove();
        if (demand != Long.MAX_VALUE) {
          demand--;
        }
        handlers.execute(() -> one.handle(next));
        freed.accept(next.length());
        reader = handler;
      }
      boolean heard = reader != null && demand > 0;
      if (heard && over && waiting.isEmpty() && failure == null && !unwanted && !endReached) {
        endReached = true;
        tellEnd();
      }
    } finally {
      delivering = false;
    }
  }

  private void tellEnd() {
    Handler<Void> listener = endHandler;
    if (endReached && listener != null) {
      endHandler = null;
      handlers.execute(() -> listener.handle(null));
    }
  }

  private void tellFailure() {
    Handler<Throwable> listener = exceptionHandler;
    Throwable cause = failure;
    if (cause != null && listener != null) {
      exceptionHandler = null;
      handlers.execute(() -> listener.handle(cause));
    }
  }

  @Override
  public InboundStream handler(@Nullable Handler<Buffer> handler) {
    return onLoop(
        () -> {
          this.handler = handler;
          deliver();
        });
  }

  @Override
  public InboundStream endHandler(@Nullable Handler<Void> endHandler) {
    return onLoop(
        () -> {
          this.endHandler = endHandler;
          tellEnd();
        });
  }

  @Override
  public InboundStream exceptionHandler(@Nullable Handler<Throwable> handler) {
    return onLoop(
        () -> {
          this.exceptionHandler = handler;
          tellFailure();
        });
  }

  /** Pauses the stream; a caller outside the loop may still receive a few buffers. */
  @Override
  public InboundStream pause() {
    return onLoop(() -> demand = 0);
  }

  @Override
  public InboundStream resume() {
    return fetch(Long.MAX_VALUE);
  }

  @Override
  public InboundStream fetch(long amount) {
    if (amount < 0) {
      throw new IllegalArgumentException("amount " + amount + " must be 0 or more");
    }
    return onLoop(
        () -> {
          demand = amount > Long.MAX_VALUE - demand ? Long.MAX_VALUE : demand + amount;
          deliver();
        });
  }

  private InboundStream onLoop(Runnable task) {
    tasks.run(task);
    return this;
  }
}
