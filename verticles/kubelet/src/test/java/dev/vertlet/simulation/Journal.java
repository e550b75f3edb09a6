package dev.vertlet.simulation;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What happened, for people: only the last lines and only when a seed is replayed. Also holds the
 * first thing that should not have happened, as an exception would not come through a Future.
 */
final class Journal {
  private static final int LINES = 200;

  private final boolean kept;
  private final Deque<String> lines = new ArrayDeque<>();
  private @Nullable BrokenInvariant broken;
  private long fingerprint;
  private int entries;

  Journal(boolean kept) {
    this.kept = kept;
  }

  /**
   * @param what a number that two runs of the same seed have in common
   */
  void note(long what, Supplier<String> line) {
    entries++;
    fingerprint = 31 * fingerprint + what;
    if (kept) {
      if (lines.size() == LINES) {
        lines.removeFirst();
      }
      lines.add(entries + " " + line.get());
    }
  }

  void broken(Invariant invariant, String what) {
    if (broken == null) {
      broken = new BrokenInvariant(invariant, what);
      note(invariant.ordinal(), () -> "BROKEN " + invariant + ": " + what);
    }
  }

  void check() {
    if (broken != null) {
      throw broken;
    }
  }

  /** Equal for two runs in which the same happened in the same order. */
  long fingerprint() {
    return fingerprint;
  }

  String text() {
    return String.join("\n", lines);
  }
}
