package dev.vertlet.simulated.node;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Pod address ranges of one node: its own, and one shared with other nodes for when the node has
 * none of its own or its own is used up. Each is one range, or one per family on a dual-stack node,
 * primary first.
 */
public final class NodeAddresses {
  private static final Logger LOG = LoggerFactory.getLogger(NodeAddresses.class);

  private final String own;
  private final String shared;

  /** Own ranges first, then the shared ones. */
  private final List<List<CidrPool>> ranges = new ArrayList<>(2);

  private final List<CidrPool> pools;

  /**
   * @param own comma-separated CIDRs; empty for none
   * @param shared comma-separated CIDRs; empty for none
   * @param node name of the node, which decides where it starts in a shared range
   * @throws IllegalArgumentException with a message that names the range and what is allowed
   */
  public NodeAddresses(String own, String shared, String node) {
    this.own = own;
    this.shared = shared;
    boolean others = !shared.isEmpty() && !shared.equals(own);
    if (!own.isEmpty() || !others) {
      addOwn(node, others);
    }
    if (others) {
      ranges.add(parse(shared, spread(node)));
    }
    this.pools = ranges.stream().flatMap(List::stream).toList();
  }

  private void addOwn(String node, boolean others) {
    try {
      ranges.add(parse(own, 0));
    } catch (IllegalArgumentException e) {
      if (!others) {
        throw e;
      }
      LOG.atWarn()
          .addKeyValue("node", node)
          .addKeyValue("error", e.getMessage())
          .log("the node's own pod range is unusable; its pods use the shared range");
    }
  }

  private static List<CidrPool> parse(String ranges, int spread) {
    List<CidrPool> parsed = new ArrayList<>(2);
    for (String range : ranges.split(",", -1)) {
      parsed.add(new CidrPool(Cidr.parse(range.strip()), spread));
    }
    return parsed;
  }

  /** Derives a start position; names that differ in one letter start far apart. */
  private static int spread(String node) {
    int hash = node.hashCode();
    hash = (hash ^ hash >>> 15) * 0x85EBCA6B;
    hash = (hash ^ hash >>> 13) * 0xC2B2AE35;
    return hash ^ hash >>> 16;
  }

  /** Returns whether this object was created from these ranges. */
  public boolean areOf(String ownRanges, String sharedRanges) {
    return own.equals(ownRanges) && shared.equals(sharedRanges);
  }

  /** Allocates one address per family, all own or all shared; empty when that fails. */
  public Optional<List<String>> take() {
    for (List<CidrPool> families : ranges) {
      Optional<List<String>> taken = take(families);
      if (taken.isPresent()) {
        return taken;
      }
    }
    return Optional.empty();
  }

  private Optional<List<String>> take(List<CidrPool> families) {
    List<String> taken = new ArrayList<>(families.size());
    for (CidrPool pool : families) {
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
   * Records the addresses of an adopted pod, which may lie outside the ranges.
   *
   * @param since start of the allocation, epoch milliseconds
   * @return false when another pod has one of them, too
   */
  public boolean reserve(List<String> ips, long since) {
    boolean alone = true;
    for (String ip : ips) {
      alone &= poolOf(ip).reserve(ip, since);
    }
    return alone;
  }

  /** Records the addresses of a pod that has ended; see {@link CidrPool#held}. */
  public void held(List<String> ips, long since) {
    for (String ip : ips) {
      poolOf(ip).held(ip, since);
    }
  }

  public void free(List<String> ips) {
    for (String ip : ips) {
      poolOf(ip).free(ip);
    }
  }

  /** Returns the pool of an address; the first pool for an address outside all ranges. */
  private CidrPool poolOf(String ip) {
    if (pools.size() > 1) {
      try {
        IpAddress address = IpAddress.parse(ip);
        for (CidrPool pool : pools) {
          if (pool.covers(address)) {
            return pool;
          }
        }
      } catch (IllegalArgumentException e) {
        // the status was edited by hand
      }
    }
    return pools.get(0);
  }

  /** Describes the usage for the message when {@link #take} fails. */
  public String usage() {
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
