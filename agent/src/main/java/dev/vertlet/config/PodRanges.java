package dev.vertlet.config;

import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;

/**
 * Gives nodes a slice of a block each. Where a node's slice is follows from its name, as far as no
 * other node has it: so most have the same again after a restart. Pure but for its own fields.
 */
public final class PodRanges {
  /** Knuth's multiplier: names that end in a number do not lie side by side. */
  private static final int SPREAD = 0x9E3779B1;

  private final Ipv4Block block;
  private final int mask;
  private final int count;
  private final BitSet used = new BitSet();
  private final Map<String, Integer> slices = new HashMap<>();

  /**
   * @param block such as {@code 100.64.0.0/10}
   * @param mask prefix of a slice, not shorter than that of the block
   */
  public PodRanges(String block, int mask) {
    this.block =
        Ipv4Block.parse(block)
            .orElseThrow(() -> new IllegalArgumentException("no IPv4 block: " + block));
    this.mask = mask;
    this.count = (int) this.block.slices(mask);
  }

  /** The one whose slices have more addresses; both are of the same block. */
  public PodRanges wider(PodRanges other) {
    return other.mask < mask ? other : this;
  }

  /** The node's slice in CIDR notation; empty when all are others'. */
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

  /** The node needs its slice no longer. */
  public void free(String node) {
    Integer own = slices.remove(node);
    if (own != null) {
      used.clear(own);
    }
  }
}
