package dev.vertlet.harness.load;

import java.util.HashSet;
import java.util.Set;

/** Which objects are Ready, and how often one that was is not any more. Not thread-safe. */
final class Readiness {
  private final Set<String> ready = new HashSet<>();
  private int flips;

  /** Whether this changed anything. */
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

  /** One that goes for good has lost nothing. */
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
