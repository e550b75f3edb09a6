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
 * Keeps what is written to it. Full while it is held and more than its limit was written. Writes
 * are done, and their Futures complete, when it is not held. Thread-safe.
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

  /** Reads nothing from now on. */
  public synchronized void hold() {
    held = true;
  }

  /** Reads all that was written and goes on reading. */
  public void release() {
    read(false);
  }

  /** Reads all that was written, and nothing that comes because of it. */
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

  /** The client is gone: all writes fail. */
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

  /** Keeps no bytes from now on, only how many there were. */
  public synchronized void counting() {
    counting = true;
  }

  /** How many bytes there were. */
  public synchronized long count() {
    return count;
  }

  /** All bytes so far. */
  public synchronized Buffer bytes() {
    return written.copy();
  }

  public String text() {
    return bytes().toString(StandardCharsets.UTF_8);
  }

  /** The most bytes that were ever written and not read. */
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
