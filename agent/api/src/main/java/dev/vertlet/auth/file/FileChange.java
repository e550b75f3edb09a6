package dev.vertlet.auth.file;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Detects changes of a group of files from repeated readings. A change counts when two readings in
 * a row agree, so that files are not used while one of them is being written or replaced between
 * two reads. Uses no I/O.
 */
final class FileChange {
  private List<byte[]> taken;
  private @Nullable List<byte[]> candidate;
  private int failures;

  /**
   * @param taken contents in use
   */
  FileChange(List<byte[]> taken) {
    this.taken = taken;
  }

  /**
   * Returns whether this reading is a change: it differs from the contents in use and equals the
   * last reading.
   */
  boolean read(List<byte[]> contents) {
    failures = 0;
    if (same(contents, taken)) {
      candidate = null;
      return false;
    }
    List<byte[]> before = candidate;
    candidate = contents;
    if (before == null || !same(contents, before)) {
      return false;
    }
    taken = contents;
    candidate = null;
    return true;
  }

  /** Returns whether to log a failed reading: only the second one in a row. */
  boolean failed() {
    candidate = null;
    failures++;
    return failures == 2;
  }

  private static boolean same(List<byte[]> one, List<byte[]> other) {
    for (int i = 0; i < one.size(); i++) {
      if (!Arrays.equals(one.get(i), other.get(i))) {
        return false;
      }
    }
    return true;
  }
}
