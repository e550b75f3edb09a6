package dev.vertlet.config;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** Tells addresses from names, without asking anybody. */
public final class IpAddresses {
  private IpAddresses() {}

  /** Nothing but digits and colons reaches the JDK, which would ask DNS for anything else. */
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
