package dev.vertlet.apiserver.kubelet;

import dev.vertlet.apiserver.api.ApiException;
import java.net.InetAddress;
import java.net.UnknownHostException;

/**
 * Which addresses proxies may reach: none of the machine the server runs on, since requests come
 * from strangers.
 */
public final class ProxyAddress {
  private ProxyAddress() {}

  /**
   * Resolves a host; blocks while it asks name servers.
   *
   * @throws ApiException 400 when it is unknown, or one of its addresses is not global unicast
   */
  public static void check(String host) {
    InetAddress[] addresses;
    try {
      addresses = InetAddress.getAllByName(host);
    } catch (UnknownHostException e) {
      throw ApiException.badRequest("lookup %s: no such host".formatted(host));
    }
    for (InetAddress address : addresses) {
      if (!isGlobalUnicast(address)) {
        throw ApiException.badRequest("address not allowed");
      }
    }
  }

  private static boolean isGlobalUnicast(InetAddress address) {
    return !address.isLoopbackAddress()
        && !address.isAnyLocalAddress()
        && !address.isMulticastAddress()
        && !address.isLinkLocalAddress()
        && !address.getHostAddress().equals("255.255.255.255");
  }
}
