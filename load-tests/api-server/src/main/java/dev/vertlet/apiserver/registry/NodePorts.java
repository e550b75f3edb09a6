package dev.vertlet.apiserver.registry;

import dev.vertlet.apiserver.api.ApiException;
import java.util.Set;
import java.util.TreeSet;

/**
 * Hands out node ports between 30000 and 32767 to one Service. As on a real server, a dry run takes
 * ports beyond the range too, and gets numbers above it.
 */
final class NodePorts {
  private static final int FIRST = 30_000;
  private static final int LAST = 32_767;

  /** Ports before this one are left to Services that ask for a number. */
  private static final int FIRST_UNASKED = 30_086;

  private final Set<Integer> taken;
  private final int seed;
  private final boolean dryRun;
  private final TreeSet<Integer> given = new TreeSet<>();

  /**
   * @param taken the ports of all stored Services
   * @param seed decides on the port that is tried first
   */
  NodePorts(Set<Integer> taken, int seed, boolean dryRun) {
    this.taken = taken;
    this.seed = seed;
    this.dryRun = dryRun;
  }

  /** Takes a port; returns why it cannot be taken, empty when it can. */
  String take(int port) {
    if (!dryRun && (port < FIRST || port > LAST)) {
      return "provided port is not in the valid range. The range of valid ports is %d-%d"
          .formatted(FIRST, LAST);
    }
    return taken.contains(port) || !given.add(port) ? "provided port is already allocated" : "";
  }

  /** Takes any port. */
  int takeAny() {
    if (dryRun) {
      int port = given.isEmpty() ? LAST + 2 : given.last() + 1;
      given.add(port);
      return port;
    }
    int size = LAST - FIRST + 1;
    int start = FIRST_UNASKED - FIRST + Math.floorMod(seed, LAST - FIRST_UNASKED + 1);
    for (int i = 0; i < size; i++) {
      int port = FIRST + (start + i) % size;
      if (take(port).isEmpty()) {
        return port;
      }
    }
    throw ApiException.internal("failed to allocate a nodePort: range is full");
  }
}
