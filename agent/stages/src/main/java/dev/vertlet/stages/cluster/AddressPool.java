package dev.vertlet.stages.cluster;

import java.math.BigInteger;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.BitSet;
import java.util.OptionalInt;

/**
 * Addresses of one range. Addresses are taken in turns, so that a freed one is used again as late
 * as possible; the network address, the gateway (the first) and the broadcast address are never
 * taken.
 */
final class AddressPool {
  /** Addresses used of a large range: ten times a hundred thousand pods on one node. */
  private static final int WINDOW = 1 << 20;

  private static final int FIRST = 2;

  private final BigInteger base;
  private final int bytes;
  private final int end;
  private final BitSet used = new BitSet();
  private int next = FIRST;

  /**
   * Creates a pool.
   *
   * @throws IllegalArgumentException if the text is no range, such as {@code 10.1.0.0/24}
   */
  AddressPool(String cidr) {
    int slash = cidr.indexOf('/');
    byte[] address = bytes(slash < 0 ? "" : cidr.substring(0, slash));
    int prefix = slash < 0 ? -1 : prefix(cidr.substring(slash + 1));
    int bits = address.length * 8;
    if (prefix < 0 || prefix > bits) {
      throw new IllegalArgumentException("\"" + cidr + "\" is no range such as 10.1.0.0/24");
    }
    int host = bits - prefix;
    this.bytes = address.length;
    this.base = new BigInteger(1, address).shiftRight(host).shiftLeft(host);
    this.end = host <= 20 ? (1 << host) - 1 : WINDOW;
  }

  private static int prefix(String text) {
    return text.matches("\\d{1,3}") ? Integer.parseInt(text) : -1;
  }

  /** Reads an address without a name server. */
  private static byte[] bytes(String text) {
    boolean literal =
        text.indexOf(':') >= 0
            ? text.matches("[0-9a-fA-F:.]+")
            : text.matches("\\d{1,3}(\\.\\d{1,3}){3}");
    if (!literal) {
      throw new IllegalArgumentException("\"" + text + "\" is no IPv4 or IPv6 address");
    }
    try {
      return InetAddress.getByName(text).getAddress();
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException("\"" + text + "\" is no IPv4 or IPv6 address", e);
    }
  }

  /** Takes a free address and returns its position; empty when all are in use. */
  OptionalInt take() {
    int index = used.nextClearBit(next);
    if (index >= end) {
      index = used.nextClearBit(FIRST);
    }
    if (index >= end) {
      return OptionalInt.empty();
    }
    used.set(index);
    next = index + 1 >= end ? FIRST : index + 1;
    return OptionalInt.of(index);
  }

  /** Marks an address as used; -1 if it is not one of the range that can be taken. */
  int reserve(String ip) {
    try {
      byte[] address = bytes(ip);
      BigInteger offset = new BigInteger(1, address).subtract(base);
      if (address.length != bytes
          || offset.compareTo(BigInteger.valueOf(FIRST)) < 0
          || offset.compareTo(BigInteger.valueOf(end)) >= 0) {
        return -1;
      }
      int index = offset.intValueExact();
      used.set(index);
      next = Math.max(next, index + 1 >= end ? FIRST : index + 1);
      return index;
    } catch (IllegalArgumentException e) {
      return -1;
    }
  }

  void free(int index) {
    used.clear(index);
  }

  /** Text of the address at a position. */
  String text(int index) {
    byte[] raw = base.add(BigInteger.valueOf(index)).toByteArray();
    byte[] address = new byte[bytes];
    int length = Math.min(raw.length, bytes);
    System.arraycopy(raw, raw.length - length, address, bytes - length, length);
    return bytes == 4 ? v4(address) : v6(address);
  }

  private static String v4(byte[] address) {
    return (address[0] & 255)
        + "."
        + (address[1] & 255)
        + "."
        + (address[2] & 255)
        + "."
        + (address[3] & 255);
  }

  /** RFC 5952: the longest run of zero groups is left out. */
  private static String v6(byte[] address) {
    int[] groups = new int[8];
    int start = -1;
    int longest = 1;
    int run = 0;
    for (int i = 0; i < 8; i++) {
      groups[i] = (address[2 * i] & 255) << 8 | address[2 * i + 1] & 255;
      run = groups[i] == 0 ? run + 1 : 0;
      if (run > longest) {
        longest = run;
        start = i - run + 1;
      }
    }
    StringBuilder text = new StringBuilder(40);
    for (int i = 0; i < 8; i++) {
      if (i == start) {
        text.append("::");
        i += longest - 1;
      } else {
        text.append(text.isEmpty() || text.charAt(text.length() - 1) == ':' ? "" : ":")
            .append(Integer.toHexString(groups[i]));
      }
    }
    return text.toString();
  }
}
