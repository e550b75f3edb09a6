package dev.vertlet.tck;

import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.streams.ReadStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** Input of a client. Delivers buffers while there is a handler and demand. Thread-safe. */
public final class Source implements ReadStream<Buffer> {
  private final Deque<Buffer> queue = new ArrayDeque<>();
  private long demand = Long.MAX_VALUE;
  private boolean ended;
  private boolean toldEnd;
  private boolean delivering;
  private @Nullable Handler<Buffer> handler;
  private @Nullable Handler<Void> endHandler;

  public void send(String text) {
    send(Buffer.buffer(text.getBytes(StandardCharsets.UTF_8)));
  }

  public synchronized void send(Buffer data) {
    queue.add(data);
    deliver();
  }

  /** Ends the stream after the buffers sent so far. */
  public synchronized void end() {
    ended = true;
    deliver();
  }

  /** Number of buffers that are not delivered yet. */
  public synchronized int untaken() {
    return queue.size();
  }

  private void deliver() {
    if (delivering) {
      return;
    }
    delivering = true;
    while (handler != null && demand > 0 && !queue.isEmpty()) {
      demand = demand == Long.MAX_VALUE ? demand : demand - 1;
      handler.handle(queue.remove());
    }
    if (ended && queue.isEmpty() && !toldEnd && handler != null && endHandler != null) {
      toldEnd = true;
      endHandler.handle(null);
    }
    delivering = false;
  }

  @Override
  public ReadStream<Buffer> exceptionHandler(@Nullable Handler<Throwable> unused) {
    return this;
  }

  @Override
  public synchronized ReadStream<Buffer> handler(@Nullable Handler<Buffer> reader) {
    handler = reader;
    deliver();
    return this;
  }

  @Override
  public synchronized ReadStream<Buffer> pause() {
    demand = 0;
    return this;
  }

  @Override
  public ReadStream<Buffer> resume() {
    return fetch(Long.MAX_VALUE);
  }

  @Override
  public synchronized ReadStream<Buffer> fetch(long amount) {
    demand = demand + amount < 0 ? Long.MAX_VALUE : demand + amount;
    deliver();
    return this;
  }

  @Override
  public synchronized ReadStream<Buffer> endHandler(@Nullable Handler<Void> told) {
    endHandler = told;
    deliver();
    return this;
  }
}
