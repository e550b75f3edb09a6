package dev.vertlet.simulated.shell;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;

/** Writes the same text without end, as fast as it is read, and lets other tasks run meanwhile. */
final class Flood {
  /** Exit code 128 + SIGPIPE. */
  private static final int BROKEN_PIPE = 141;

  /** Most writes in one turn: a reader that takes all at once would block the thread for ever. */
  private static final int AT_ONCE = 16;

  private static final long PAUSE_MILLIS = 1;

  private final Call call;
  private final Buffer chunk;
  private final Promise<Integer> done;
  private Runnable pause = () -> {};
  private int taken;

  Flood(Call call, Buffer chunk) {
    this.call = call;
    this.chunk = chunk;
    this.done = call.session().interrupt.waits();
  }

  Future<Integer> begin() {
    next();
    return done.future().onComplete(over -> pause.run());
  }

  private void next() {
    Output out = call.out();
    if (out.broken()) {
      done.tryComplete(BROKEN_PIPE);
    } else if (!done.future().isComplete()) {
      out.write(chunk.copy());
      taken = out.flushed().isComplete() ? taken + 1 : 0;
      if (taken < AT_ONCE) {
        out.whenReady(this::next);
      } else {
        taken = 0;
        pause = call.session().alarm.set(PAUSE_MILLIS, () -> out.whenReady(this::next));
      }
    }
  }
}
