package dev.vertlet.remote.stream;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.streams.ReadStream;
import io.vertx.core.streams.WriteStream;

/**
 * Pauses a source while one of its sinks is full, so that a client that does not read costs no
 * memory. Confined to one context; sinks may belong to other loops.
 */
final class Valve {
  private final Context context;
  private final ReadStream<?> source;
  private int full;

  Valve(Context context, ReadStream<?> source) {
    this.context = context;
    this.source = source;
  }

  /** One sink of the source. */
  final class Outlet {
    private final WriteStream<Buffer> sink;
    private Future<Void> last = Future.succeededFuture();
    private boolean waiting;

    private Outlet(WriteStream<Buffer> sink) {
      this.sink = sink;
    }

    void write(Buffer data) {
      last = sink.write(data);
      if (!waiting && sink.writeQueueFull()) {
        waiting = true;
        if (++full == 1) {
          source.pause();
        }
        sink.drainHandler(drained -> context.runOnContext(v -> drained()));
        if (!sink.writeQueueFull()) {
          drained(); // it drained before it had the handler
        }
      }
    }

    private void drained() {
      if (waiting) {
        waiting = false;
        if (--full == 0) {
          source.resume();
        }
      }
    }

    /** Completes when everything has been written, fails when it cannot be. */
    Future<Void> written() {
      return last;
    }

    void end() {
      last = sink.end();
    }
  }

  Outlet outlet(WriteStream<Buffer> sink) {
    return new Outlet(sink);
  }
}
