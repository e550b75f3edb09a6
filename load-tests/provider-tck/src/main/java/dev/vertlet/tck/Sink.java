package dev.vertlet.tck;

import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import io.vertx.core.VertxException;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.streams.WriteStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Records everything written to it. While held, it completes no write, and it is full once more
 * than its limit is unread; otherwise writes complete at once. Thread-safe.
 */
public final class Sink implements WriteStream<Buffer> {
  private static final int LIMIT = 64 * 1024;

  private final Buffer written = Buffer.buffer();
  private final List<Promise<Void>> unfinished = new ArrayList<>();
  private long count;
  private boolean counting;
  private int inFlight;
  private int largest;
  private boolean held;
  private boolean ended;
  private boolean broken;
  private @Nullable Handler<Void> drained;

  /** Stops reading. */
  public synchronized void hold() {
    held = true;
  }

  /** Reads everything written so far and continues reading. */
  public void release() {
    read(false);
  }

  /** Reads everything written so far, but nothing that is written in response. */
  public void readOnce() {
    read(true);
  }

  private void read(boolean holdOn) {
    List<Promise<Void>> done;
    Handler<Void> told;
    synchronized (this) {
      held = holdOn;
      inFlight = 0;
      done = List.copyOf(unfinished);
      unfinished.clear();
      told = drained;
    }
    done.forEach(Promise::complete);
    if (told != null) {
      told.handle(null);
    }
  }

  /** Fails all writes from now on, as if the client had disconnected. */
  public void breakOff() {
    List<Promise<Void>> lost;
    synchronized (this) {
      broken = true;
      lost = List.copyOf(unfinished);
      unfinished.clear();
    }
    lost.forEach(promise -> promise.fail(closed()));
  }

  private static VertxException closed() {
    return new VertxException("the stream was closed", true);
  }

  /** Counts bytes from now on instead of keeping them. */
  public synchronized void counting() {
    counting = true;
  }

  /** Number of bytes written. */
  public synchronized long count() {
    return count;
  }

  /** All bytes written so far. */
  public synchronized Buffer bytes() {
    return written.copy();
  }

  public String text() {
    return bytes().toString(StandardCharsets.UTF_8);
  }

  /** Largest number of bytes that were in flight at once. */
  public synchronized int largestBacklog() {
    return largest;
  }

  public synchronized boolean ended() {
    return ended;
  }

  @Override
  public synchronized Future<Void> write(Buffer data) {
    if (broken) {
      return Future.failedFuture(closed());
    }
    count += data.length();
    if (!counting) {
      written.appendBuffer(data);
    }
    if (!held) {
      return Future.succeededFuture();
    }
    inFlight += data.length();
    largest = Math.max(largest, inFlight);
    Promise<Void> promise = Promise.promise();
    unfinished.add(promise);
    return promise.future();
  }

  @Override
  public synchronized Future<Void> end() {
    ended = true;
    return Future.succeededFuture();
  }

  @Override
  public WriteStream<Buffer> setWriteQueueMaxSize(int maxSize) {
    return this;
  }

  @Override
  public synchronized boolean writeQueueFull() {
    return inFlight > LIMIT;
  }

  @Override
  public synchronized WriteStream<Buffer> drainHandler(@Nullable Handler<Void> handler) {
    drained = handler;
    return this;
  }

  @Override
  public WriteStream<Buffer> exceptionHandler(@Nullable Handler<Throwable> handler) {
    return this;
  }
}
