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
  private int next = FIRST;

  /**
   * Holders the bits cannot express: addresses outside the range, and the second holder of one
   * address. Both only come from adoption and are rare.
   */
  private final Map<String, Integer> extra = new HashMap<>(0);

  CidrPool(Cidr cidr) {
    this.cidr = cidr;
    this.end = cidr.hostBits() <= 20 ? (1 << cidr.hostBits()) - 1 : WINDOW;
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
    return Optional.of(cidr.base().plus(index).text());
  }

  /**
   * Takes note of a holder that brings this address along, be it in the range or not.
   *
   * @return false when another one holds it too
   */
  boolean reserve(String ip) {
    int index = indexOf(ip);
    if (index >= 0 && !used.get(index)) {
      occupy(index);
      // after a restart go on behind what was handed out before
      next = Math.max(next, after(index));
      return true;
    }
    return extra.merge(ip, 1, Integer::sum) == 1 && index < 0;
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
