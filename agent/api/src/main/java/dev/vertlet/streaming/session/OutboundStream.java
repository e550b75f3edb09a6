package dev.vertlet.streaming.session;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import io.vertx.core.VertxException;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.internal.buffer.BufferInternal;
import io.vertx.core.streams.WriteStream;
import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Data to a client on one stream. Its public methods are thread-safe; its queue belongs to the
 * loop, to which they delegate. A Future of {@link #write} or {@link #end} completes when the bytes
 * were passed to the operating system, and fails when they never can be.
 */
public final class OutboundStream implements WriteStream<Buffer> {
  /** Queued bytes at which the write queue is full. */
  static final int MOST = 128 * 1024;

  /**
   * @param last whether the stream ends with these bytes
   */
  record Chunk(ByteBuf bytes, boolean last, Promise<Void> sent) {}

  final int id;
  private final OutboundQueue owner;
  private final ArrayDeque<Chunk> chunks = new ArrayDeque<>();

  /** Queued bytes; writing threads increase it, the loop decreases it. */
  private final AtomicLong waiting = new AtomicLong();

  private volatile int most = MOST;

  /** Whether a writing thread saw a full queue and waits for the drain handler. */
  private volatile boolean awaited;

  private @Nullable Handler<Void> drainHandler;
  private @Nullable Handler<Throwable> exceptionHandler;
  private boolean ended;
  private @Nullable VertxException closed;

  /** Whether {@link OutboundQueue} has queued this stream. */
  boolean lined;

  OutboundStream(int id, OutboundQueue owner) {
    this.id = id;
    this.owner = owner;
  }

  @Override
  public Future<Void> write(Buffer data) {
    return put(((BufferInternal) data).getByteBuf(), false);
  }

  @Override
  public Future<Void> end() {
    return put(Unpooled.EMPTY_BUFFER, true);
  }

  private Future<Void> put(ByteBuf bytes, boolean last) {
    Promise<Void> sent = Promise.promise();
    int length = bytes.readableBytes();
    waiting.addAndGet(length);
    owner.onLoop(() -> enqueue(new Chunk(bytes, last, sent), length));
    return sent.future();
  }

  private void enqueue(Chunk chunk, int length) {
    if (closed != null || ended) {
      waiting.addAndGet(-length);
      VertxException refused =
          closed != null ? closed : VertxException.noStackTrace("the stream has ended");
      owner.handlers().execute(() -> chunk.sent().tryFail(refused));
      return;
    }
    ended = chunk.last();
    chunks.add(chunk);
    owner.unsent(1);
    owner.line(this);
  }

  /** Returns whether no more data can be written. */
  public boolean isEnded() {
    return ended || closed != null;
  }

  /** Returns the next chunk; null for none. */
  @Nullable Chunk next() {
    return chunks.peek();
  }

  /** Removes bytes from the next chunk, and the chunk itself once it is empty. */
  void taken(int bytes, boolean chunkToo) {
    if (chunkToo) {
      chunks.remove();
    }
    waiting.addAndGet(-bytes);
    tellDrained();
  }

  /** Closes the stream: the client receives no more data. */
  void close(String reason) {
    if (closed != null) {
      return;
    }
    VertxException cause = VertxException.noStackTrace(reason);
    closed = cause;
    Handler<Throwable> listener = exceptionHandler;
    for (Chunk chunk = chunks.poll(); chunk != null; chunk = chunks.poll()) {
      Chunk unsent = chunk;
      waiting.addAndGet(-chunk.bytes().readableBytes());
      owner.handlers().execute(() -> unsent.sent().tryFail(cause));
      owner.unsent(-1);
    }
    if (!ended && listener != null) {
      owner.handlers().execute(() -> listener.handle(cause));
    }
  }

  private void tellDrained() {
    Handler<Void> listener = drainHandler;
    if (awaited && listener != null && waiting.get() <= most / 2) {
      awaited = false;
      owner.handlers().execute(() -> listener.handle(null));
    }
  }

  @Override
  public boolean writeQueueFull() {
    if (waiting.get() < most) {
      return false;
    }
    awaited = true;
    // check again: data sent between both checks found no waiting writer to notify
    return waiting.get() >= most;
  }

  @Override
  public OutboundStream setWriteQueueMaxSize(int maxSize) {
    if (maxSize < 1) {
      throw new IllegalArgumentException("maxSize " + maxSize + " must be 1 or more");
    }
    most = maxSize;
    return this;
  }

  /** Sets the handler; calls it at once when the queue has already drained after it was full. */
  @Override
  public OutboundStream drainHandler(@Nullable Handler<Void> handler) {
    owner.onLoop(
        () -> {
          drainHandler = handler;
          tellDrained();
        });
    return this;
  }

  @Override
  public OutboundStream exceptionHandler(@Nullable Handler<Throwable> handler) {
    owner.onLoop(() -> exceptionHandler = handler);
    return this;
  }
}
