package dev.vertlet.simulated.node;

import java.util.regex.Pattern;

/** An address range such as {@code 10.200.0.0/16} or {@code fd00:10::/64}. */
record Cidr(IpAddress base, int prefix) {
  private static final Pattern PREFIX = Pattern.compile("[0-9]{1,3}");

  /**
   * Parses CIDR notation.
   *
   * @throws IllegalArgumentException with a message that names the text and what is allowed
   */
  static Cidr parse(String text) {
    int slash = text.indexOf('/');
    String prefix = text.substring(slash + 1);
    if (slash < 0 || !PREFIX.matcher(prefix).matches()) {
      throw new IllegalArgumentException(
          "\"" + text + "\" is no CIDR: want for example 10.200.0.0/16 or fd00:10::/64");
    }
    IpAddress base = IpAddress.parse(text.substring(0, slash));
    int bits = Integer.parseInt(prefix);
    int longest = base.v6() ? 126 : 30;
    if (bits > longest) {
      throw new IllegalArgumentException(
          "prefix of \"" + text + "\" must be from 0 to " + longest + ": pods need addresses too");
    }
    Cidr canonical = new Cidr(masked(base, bits), bits);
    if (!canonical.base.equals(base)) {
      throw new IllegalArgumentException(
          "\"" + text + "\" has bits behind its prefix: want " + canonical.text());
    }
    return canonical;
  }

  int hostBits() {
    return (base.v6() ? 128 : 32) - prefix;
  }

  boolean contains(IpAddress address) {
    return address.v6() == base.v6() && masked(address, prefix).equals(base);
  }

  String text() {
    return base.text() + "/" + prefix;
  }

  private static IpAddress masked(IpAddress address, int prefix) {
    int highBits = address.v6() ? Math.min(prefix, 64) : 0;
    int lowBits = address.v6() ? prefix - highBits : prefix + 32;
    return new IpAddress(
        address.v6(), address.high() & mask(highBits), address.low() & mask(lowBits));
  }

  private static long mask(int bits) {
    return bits == 0 ? 0 : -1L << (64 - bits);
  }
}
