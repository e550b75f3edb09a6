package dev.vertlet.auth;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Tells from repeated readings of some files when they have changed. A change counts when two
 * readings in a row agree: files that belong together are not taken while one of them is being
 * written, and a swap between two reads is not taken for a pair. Pure.
 */
final class FileChange {
  private List<byte[]> taken;
  private @Nullable List<byte[]> candidate;
  private int failures;

  /**
   * @param taken what is in use
   */
  FileChange(List<byte[]> taken) {
    this.taken = taken;
  }

  /** Whether this reading is news: it differs from what is in use, and agrees with the last one. */
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

  /** Whether to tell that the files cannot be read: the second time in a row, and then no more. */
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
