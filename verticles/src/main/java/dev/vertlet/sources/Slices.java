package dev.vertlet.sources;

import dev.vertlet.loop.CoreLoop;
import java.util.ArrayDeque;
import java.util.Queue;

/**
 * Does many small things one after another, and lets others have the loop in between. Confined to
 * its loop.
 */
final class Slices {
  /** Of some 20 µs each: a slice takes about a millisecond. */
  static final int AT_ONCE = 50;

  private final CoreLoop loop;
  private final Queue<Runnable> waiting = new ArrayDeque<>();
  private boolean busy;

  Slices(CoreLoop loop) {
    this.loop = loop;
  }

  /** Does it after all that was added before: now, or when the loop comes to it. */
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
      // also after one that threw: the others are not to blame
      busy = more;
      if (more) {
        loop.later(this::slice);
      }
    }
  }

  /** Whether there may be more. */
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
