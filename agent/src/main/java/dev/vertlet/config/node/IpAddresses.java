package dev.vertlet.config.node;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** Distinguishes IP addresses from host names without a DNS look-up. */
public final class IpAddresses {
  private IpAddresses() {}

  /**
   * Returns whether the text is an IP address. Only digits and colons reach the JDK, which would
   * resolve any other text.
   */
  public static boolean isIp(String text) {
    if (Ipv4Block.parse(text + "/32").isPresent()) {
      return true;
    }
    if (!text.matches("[0-9a-fA-F:.]*:[0-9a-fA-F:.]*")) {
      return false;
    }
    try {
      return InetAddress.getByName(text).getAddress().length > 0;
    } catch (UnknownHostException e) {
      return false;
    }
  }
}
