package dev.vertlet.harness.load;

import java.util.HashSet;
import java.util.Set;

/** Tracks which objects are Ready and counts flips to NotReady. Not thread-safe. */
final class Readiness {
  private final Set<String> ready = new HashSet<>();
  private int flips;

  /** Records the readiness of an object; returns whether it changed. */
  boolean observe(String name, boolean isReady) {
    if (isReady) {
      return ready.add(name);
    }
    boolean lost = ready.remove(name);
    if (lost) {
      flips++;
    }
    return lost;
  }

  /** Forgets a deleted object without counting a flip. */
  void gone(String name) {
    ready.remove(name);
  }

  int count() {
    return ready.size();
  }

  int flips() {
    return flips;
  }
}
