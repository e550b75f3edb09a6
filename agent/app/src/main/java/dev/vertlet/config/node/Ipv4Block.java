package dev.vertlet.config.node;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A block of IPv4 addresses.
 *
 * @param address first address of the block
 * @param prefix prefix length, 0 to 32
 */
record Ipv4Block(int address, int prefix) {
  private static final Pattern CIDR =
      Pattern.compile("(\\d{1,3})\\.(\\d{1,3})\\.(\\d{1,3})\\.(\\d{1,3})/(\\d{1,2})");

  /** Parses CIDR notation, whose address may lie inside the block; empty for other text. */
  static Optional<Ipv4Block> parse(String text) {
    Matcher m = CIDR.matcher(text);
    if (!m.matches()) {
      return Optional.empty();
    }
    int address = 0;
    for (int i = 1; i <= 4; i++) {
      int octet = Integer.parseInt(m.group(i));
      if (octet > 255) {
        return Optional.empty();
      }
      address = address << 8 | octet;
    }
    int prefix = Integer.parseInt(m.group(5));
    return prefix > 32
        ? Optional.empty()
        : Optional.of(new Ipv4Block(address & mask(prefix), prefix));
  }

  private static int mask(int prefix) {
    return prefix == 0 ? 0 : -1 << (32 - prefix);
  }

  boolean overlaps(Ipv4Block other) {
    int common = mask(Math.min(prefix, other.prefix));
    return (address & common) == (other.address & common);
  }

  /** Returns the number of blocks with this longer prefix. */
  long slices(int slicePrefix) {
    return 1L << (slicePrefix - prefix);
  }

  Ipv4Block slice(int index, int slicePrefix) {
    return new Ipv4Block(address + (index << (32 - slicePrefix)), slicePrefix);
  }

  /** Returns the number of addresses without the network, gateway and broadcast address. */
  static long hosts(int prefix) {
    return Math.max(0, (1L << (32 - prefix)) - 3);
  }

  @Override
  public String toString() {
    return (address >>> 24)
        + "."
        + (address >>> 16 & 255)
        + "."
        + (address >>> 8 & 255)
        + "."
        + (address & 255)
        + "/"
        + prefix;
  }
}
