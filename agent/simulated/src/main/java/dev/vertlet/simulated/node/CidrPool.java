package dev.vertlet.simulated.node;

import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Allocates the addresses of one range, each to one holder at a time. Allocation is round-robin, so
 * that a freed address is reused as late as possible. The network address, the gateway (the first)
 * and the broadcast address (the last) are never allocated.
 */
final class CidrPool {
  /** Addresses used of a large range: ten times a hundred thousand pods on one node. */
  static final int WINDOW = 1 << 20;

  private static final int FIRST = 2;

  private final Cidr cidr;
  private final int end;
  private final BitSet used = new BitSet();
  private int inUse;
  private int next;

  /** Whether an address has been allocated; from then on {@link #held} changes nothing. */
  private boolean begun;

  /** Start of the latest allocation by an earlier process, and its position. */
  private long newest = Long.MIN_VALUE;

  private int last = -1;

  /**
   * Holders that the bits cannot represent: addresses outside the range, and the second holder of
   * an address. Both come only from adoption and are rare.
   */
  private final Map<String, Integer> extra = new HashMap<>(0);

  /** Creates a pool that starts with the first address. */
  CidrPool(Cidr cidr) {
    this(cidr, 0);
  }

  /**
   * @param spread any number, from which the first address is derived: independent pools of one
   *     range then allocate different addresses while they have few holders
   */
  CidrPool(Cidr cidr, int spread) {
    this.cidr = cidr;
    this.end = cidr.hostBits() <= 20 ? (1 << cidr.hostBits()) - 1 : WINDOW;
    this.next = FIRST + Math.floorMod(spread, capacity());
  }

  /** Allocates a free address; empty when all are in use. */
  Optional<String> take() {
    if (inUse == capacity()) {
      return Optional.empty();
    }
    int index = used.nextClearBit(next);
    if (index >= end) {
      index = used.nextClearBit(FIRST);
    }
    occupy(index);
    next = after(index);
    begun = true;
    return Optional.of(cidr.base().plus(index).text());
  }

  /**
   * Records the holder of an address that may lie outside the range.
   *
   * @param since start of the allocation, epoch milliseconds
   * @return false when another holder has the same address
   */
  boolean reserve(String ip, long since) {
    int index = indexOf(ip);
    if (index >= 0) {
      goOnBehind(index, since);
    }
    if (index >= 0 && !used.get(index)) {
      occupy(index);
      return true;
    }
    return extra.merge(ip, 1, Integer::sum) == 1 && index < 0;
  }

  /**
   * Records an address whose holder ended before this pool existed, so that it is reused late, too.
   *
   * @param since start of the allocation, epoch milliseconds
   */
  void held(String ip, long since) {
    int index = begun ? -1 : indexOf(ip);
    if (index >= 0) {
      goOnBehind(index, since);
    }
  }

  /**
   * Continues after the latest allocation of the earlier process; among several of one moment,
   * after the highest address.
   */
  private void goOnBehind(int index, long since) {
    if (!begun && (since > newest || since == newest && index > last)) {
      newest = since;
      last = index;
      next = after(index);
    }
  }

  /** Returns whether the range contains the address. */
  boolean covers(IpAddress address) {
    return cidr.contains(address);
  }

  /** Removes one holder of the address, if there is one. */
  void free(String ip) {
    if (extra.computeIfPresent(ip, (address, holders) -> holders - 1) != null) {
      extra.remove(ip, 0);
      return;
    }
    int index = indexOf(ip);
    if (index >= 0 && used.get(index)) {
      used.clear(index);
      inUse--;
    }
  }

  int inUse() {
    return inUse;
  }

  /** Returns the number of addresses that can be in use at once. */
  int capacity() {
    return end - FIRST;
  }

  String range() {
    return cidr.text();
  }

  private int after(int index) {
    return index + 1 == end ? FIRST : index + 1;
  }

  private void occupy(int index) {
    used.set(index);
    inUse++;
  }

  /** Returns the position of an allocatable address; -1 for any other. */
  private int indexOf(String ip) {
    try {
      IpAddress address = IpAddress.parse(ip);
      long offset = address.low() - cidr.base().low();
      boolean ours =
          cidr.contains(address)
              && address.high() == cidr.base().high()
              && Long.compareUnsigned(offset, end) < 0;
      return ours && offset >= FIRST ? (int) offset : -1;
    } catch (IllegalArgumentException e) {
      return -1;
    }
  }
}
