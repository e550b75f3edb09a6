package dev.vertlet.apiserver.registry;

import dev.vertlet.apiserver.api.ApiException;
import java.util.Set;

/**
 * Hands out addresses of 10.0.0.0/16. As on a real server, a dry run does not look at what other
 * Services have, and gets the address of the network.
 */
final class ClusterAddresses {
  private static final String PREFIX = "10.0.";
  private static final String RANGE = "10.0.0.0/16";
  private static final int LAST = 0xFFFE;

  /** Addresses before this one are left to Services that ask for one. */
  private static final int FIRST_UNASKED = 0x101;

  private final Set<String> taken;
  private final int seed;
  private final boolean dryRun;

  /**
   * @param taken the addresses of all stored Services
   * @param seed decides on the address that is tried first
   */
  ClusterAddresses(Set<String> taken, int seed, boolean dryRun) {
    this.taken = taken;
    this.seed = seed;
    this.dryRun = dryRun;
  }

  /** Takes a valid address of version 4; returns why it cannot be taken, empty when it can. */
  String take(String address) {
    boolean inRange =
        address.startsWith(PREFIX)
            && !address.equals("10.0.0.0")
            && !address.equals("10.0.255.255");
    if (dryRun) {
      return inRange
          ? ""
          : "the provided IP (%s) is not in the valid range. The range of valid IPs is %s"
              .formatted(address, RANGE);
    } else if (!inRange) {
      return "the provided network does not match the current range";
    }
    return taken.add(address) ? "" : "provided IP is already allocated";
  }

  /**
   * Takes any address.
   *
   * @param service the name of the Service
   */
  String takeAny(String service) {
    if (dryRun) {
      return "10.0.0.0";
    }
    int start = FIRST_UNASKED + Math.floorMod(seed, LAST - FIRST_UNASKED + 1);
    for (int i = 0; i < LAST; i++) {
      int host = 1 + (start - 1 + i) % LAST;
      String address = PREFIX + (host >> 8) + "." + (host & 0xFF);
      if (taken.add(address)) {
        return address;
      }
    }
    throw ApiException.internal(
        "failed to allocate a serviceIP for Service \"%s\": range is full".formatted(service));
  }
}
