package dev.vertlet.simulated.node;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.regex.Pattern;

/**
 * IPv4 or IPv6 address as a number.
 *
 * @param high upper half of an IPv6 address, 0 for IPv4
 * @param low lower half of an IPv6 address, or the 32 bits of an IPv4 address
 */
record IpAddress(boolean v6, long high, long low) {
  private static final String OCTET = "(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])";
  private static final Pattern V4 = Pattern.compile(OCTET + "(\\." + OCTET + "){3}");
  private static final Pattern V6 = Pattern.compile("[0-9a-fA-F:]*:[0-9a-fA-F:.]*");
  private static final int GROUPS = 8;

  /**
   * Parses an address without a name server.
   *
   * @throws IllegalArgumentException when {@code text} is not an address
   */
  static IpAddress parse(String text) {
    if (!V4.matcher(text).matches() && !V6.matcher(text).matches()) {
      throw notAnAddress(text);
    }
    try {
      // both patterns match only literals, which the JDK does not look up
      InetAddress address = InetAddress.getByName(text);
      ByteBuffer bytes = ByteBuffer.wrap(address.getAddress());
      return address instanceof Inet4Address
          ? new IpAddress(false, 0, Integer.toUnsignedLong(bytes.getInt()))
          : new IpAddress(true, bytes.getLong(), bytes.getLong());
    } catch (UnknownHostException e) {
      throw notAnAddress(text);
    }
  }

  /** Returns the address {@code offset} further on. The lower half must not overflow. */
  IpAddress plus(long offset) {
    return new IpAddress(v6, high, low + offset);
  }

  /** Formats the address: dotted, or as in RFC 5952. */
  String text() {
    return v6 ? textV6() : textV4();
  }

  private String textV4() {
    return (low >>> 24) + "." + (low >>> 16 & 0xff) + "." + (low >>> 8 & 0xff) + "." + (low & 0xff);
  }

  private String textV6() {
    int[] gap = longestGap();
    StringBuilder text = new StringBuilder(40);
    for (int i = 0; i < GROUPS; i++) {
      if (i == gap[0] && gap[1] > 1) {
        text.append("::");
        i += gap[1] - 1;
        continue;
      }
      if (!text.isEmpty() && text.charAt(text.length() - 1) != ':') {
        text.append(':');
      }
      text.append(Integer.toHexString(group(i)));
    }
    return text.toString();
  }

  /** Returns start and length of the first longest run of zero groups. */
  private int[] longestGap() {
    int[] best = {-1, 0};
    int length = 0;
    for (int i = 0; i < GROUPS; i++) {
      length = group(i) == 0 ? length + 1 : 0;
      if (length > best[1]) {
        best[0] = i - length + 1;
        best[1] = length;
      }
    }
    return best;
  }

  private int group(int index) {
    long half = index < GROUPS / 2 ? high : low;
    return (int) (half >>> (48 - 16 * (index % 4)) & 0xffff);
  }

  private static IllegalArgumentException notAnAddress(String text) {
    return new IllegalArgumentException("\"" + text + "\" is no IPv4 or IPv6 address");
  }
}
