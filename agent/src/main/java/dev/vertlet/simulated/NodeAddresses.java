package dev.vertlet.simulated;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The address ranges of one node: one, or one per family on a dual-stack node, primary first. */
final class NodeAddresses {
  private final String ranges;
  private final List<CidrPool> pools;

  /**
   * @param ranges CIDRs divided by commas
   * @throws IllegalArgumentException with a message that names the range and what is allowed
   */
  NodeAddresses(String ranges) {
    this.ranges = ranges;
    List<CidrPool> parsed = new ArrayList<>(2);
    for (String range : ranges.split(",", -1)) {
      parsed.add(new CidrPool(Cidr.parse(range.strip())));
    }
    this.pools = List.copyOf(parsed);
  }

  String ranges() {
    return ranges;
  }

  /** One address of each range, or none at all. */
  Optional<List<String>> take() {
    List<String> taken = new ArrayList<>(pools.size());
    for (CidrPool pool : pools) {
      Optional<String> ip = pool.take();
      if (ip.isEmpty()) {
        free(taken);
        return Optional.empty();
      }
      taken.add(ip.get());
    }
    return Optional.of(taken);
  }

  /**
   * Each address counts in every pool: a pool that does not have it just remembers it.
   *
   * @return false when another pod holds one of them too
   */
  boolean reserve(List<String> ips) {
    boolean alone = true;
    for (String ip : ips) {
      for (CidrPool pool : pools) {
        alone &= pool.reserve(ip);
      }
    }
    return alone;
  }

  void free(List<String> ips) {
    for (String ip : ips) {
      pools.forEach(pool -> pool.free(ip));
    }
  }

  /** For the message when {@link #take} fails. */
  String usage() {
    StringBuilder text = new StringBuilder();
    for (CidrPool pool : pools) {
      text.append(text.isEmpty() ? "" : ", ")
          .append(pool.inUse())
          .append(" of ")
          .append(pool.capacity())
          .append(" in use in ")
          .append(pool.range());
    }
    return text.toString();
  }
}
