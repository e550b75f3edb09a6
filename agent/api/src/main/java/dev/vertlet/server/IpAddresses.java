package dev.vertlet.server;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** Distinguishes IP addresses from host names without a DNS look-up. */
public final class IpAddresses {
  private static final String OCTET = "(25[0-5]|2[0-4]\\d|[01]?\\d?\\d)";
  private static final String IPV4 = OCTET + "(\\." + OCTET + "){3}";

  private IpAddresses() {}

  /**
   * Returns whether the text is an IP address. Only digits and colons reach the JDK, which would
   * resolve any other text.
   */
  public static boolean isIp(String text) {
    if (text.matches(IPV4)) {
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
