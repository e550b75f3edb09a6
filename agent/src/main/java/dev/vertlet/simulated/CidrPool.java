package dev.vertlet.simulated;

import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Hands out the addresses of one range: each to one holder at a time, in turn, so that a freed one
 * rests as long as possible. Network address, gateway (the first) and broadcast address (the last)
 * are left out.
 */
final class CidrPool {
  /** Addresses used of a huge range: a hundred thousand pods on one node fit ten times. */
  static final int WINDOW = 1 << 20;

  private static final int FIRST = 2;

  private final Cidr cidr;
  private final int end;
  private final BitSet used = new BitSet();
  private int inUse;
  private int next;

  /** Whether an address was handed out: from then on its own order counts. */
  private boolean begun;

  /** Of what was handed out before this pool was made, the newest: when, and its position. */
  private long newest = Long.MIN_VALUE;

  private int last = -1;

  /**
   * Holders the bits cannot express: addresses outside the range, and the second holder of one
   * address. Both only come from adoption and are rare.
   */
  private final Map<String, Integer> extra = new HashMap<>(0);

  /** Begins with the first address. */
  CidrPool(Cidr cidr) {
    this(cidr, 0);
  }

  /**
   * @param spread any number; where to begin follows from it, so that pools of one range that know
   *     nothing of each other hand out different addresses for as long as they have few holders
   */
  CidrPool(Cidr cidr, int spread) {
    this.cidr = cidr;
    this.end = cidr.hostBits() <= 20 ? (1 << cidr.hostBits()) - 1 : WINDOW;
    this.next = FIRST + Math.floorMod(spread, capacity());
  }

  /** An address nobody holds, or empty when all are held. */
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
   * Takes note of a holder that brings this address along, be it in the range or not.
   *
   * @param since when it began to hold it, epoch milliseconds
   * @return false when another one holds it too
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
   * Takes note of an address that somebody held before this pool was made: it is to rest as long as
   * others do.
   *
   * @param since when that one began to hold it, epoch milliseconds
   */
  void held(String ip, long since) {
    int index = begun ? -1 : indexOf(ip);
    if (index >= 0) {
      goOnBehind(index, since);
    }
  }

  /** After a restart goes on behind what was handed out last; of one moment, the highest. */
  private void goOnBehind(int index, long since) {
    if (!begun && (since > newest || since == newest && index > last)) {
      newest = since;
      last = index;
      next = after(index);
    }
  }

  /** Whether the address is in the range. */
  boolean covers(IpAddress address) {
    return cidr.contains(address);
  }

  /** One holder less. Nothing happens when there was none. */
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

  /** How many addresses can be held at a time. */
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

  /** Position of an address this pool hands out, else -1. */
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
