package dev.vertlet.sources;

import dev.vertlet.loop.CoreLoop;
import java.util.ArrayDeque;
import java.util.Queue;

/** Runs many short tasks in order, and yields the loop in between. Confined to its loop. */
final class Slices {
  /** Tasks per slice, of some 20 µs each: a slice takes about a millisecond. */
  static final int AT_ONCE = 50;

  private final CoreLoop loop;
  private final Queue<Runnable> waiting = new ArrayDeque<>();
  private boolean busy;

  Slices(CoreLoop loop) {
    this.loop = loop;
  }

  /** Runs a task after all earlier ones, in a later turn of the loop. */
  void add(Runnable task) {
    waiting.add(task);
    if (!busy) {
      busy = true;
      loop.later(this::slice);
    }
  }

  private void slice() {
    boolean more = true;
    try {
      more = some();
    } finally {
      // also after an exception: the other tasks must run
      busy = more;
      if (more) {
        loop.later(this::slice);
      }
    }
  }

  /** Runs one slice; returns whether there may be more tasks. */
  private boolean some() {
    for (int done = 0; done < AT_ONCE; done++) {
      Runnable next = waiting.poll();
      if (next == null) {
        return false;
      }
      next.run();
    }
    return true;
  }
}
