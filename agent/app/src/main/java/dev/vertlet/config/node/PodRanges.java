package dev.vertlet.config.node;

import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;

/**
 * Gives each node a slice of a block. The node's name decides which slice is tried first, so that
 * most nodes get the same slice after a restart. Uses no clock, I/O or thread.
 */
public final class PodRanges {
  /** Knuth's multiplier: spreads names that differ in their number. */
  private static final int SPREAD = 0x9E3779B1;

  private final Ipv4Block block;
  private final int mask;
  private final int count;
  private final BitSet used = new BitSet();
  private final Map<String, Integer> slices = new HashMap<>();

  /**
   * @param block CIDR such as {@code 100.64.0.0/10}
   * @param mask prefix length of a slice, not shorter than that of the block
   */
  public PodRanges(String block, int mask) {
    this.block =
        Ipv4Block.parse(block)
            .orElseThrow(() -> new IllegalArgumentException("no IPv4 block: " + block));
    this.mask = mask;
    this.count = (int) this.block.slices(mask);
  }

  /** Returns the object with the larger slices; both use the same block. */
  public PodRanges wider(PodRanges other) {
    return other.mask < mask ? other : this;
  }

  /** Returns a slice for the node in CIDR notation; empty when the block is used up. */
  public String take(String node) {
    Integer own = slices.get(node);
    if (own == null && slices.size() < count) {
      own = free(Math.floorMod(hash(node), count));
      slices.put(node, own);
      used.set(own);
    }
    return own == null ? "" : block.slice(own, mask).toString();
  }

  private int free(int from) {
    int slice = used.nextClearBit(from);
    return slice < count ? slice : used.nextClearBit(0);
  }

  private static int hash(String node) {
    int hash = node.hashCode() * SPREAD;
    return hash ^ hash >>> 16;
  }

  /** Frees the node's slice. */
  public void free(String node) {
    Integer own = slices.remove(node);
    if (own != null) {
      used.clear(own);
    }
  }
}
