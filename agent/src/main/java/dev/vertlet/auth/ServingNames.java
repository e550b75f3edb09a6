package dev.vertlet.auth;

import io.netty.util.NetUtil;
import java.util.List;

/**
 * What one listener is called.
 *
 * @param node its node; of a shared listener the first one
 * @param hostNames DNS names that clients use for it
 * @param addresses IP addresses that clients use for it, as they are in the Node's status
 */
public record ServingNames(String node, List<String> hostNames, List<String> addresses) {
  /**
   * @throws IllegalArgumentException when an address is none, or when there is no name at all
   */
  public ServingNames {
    hostNames = hostNames.stream().distinct().sorted().toList();
    addresses = addresses.stream().distinct().sorted().toList();
    if (hostNames.isEmpty() && addresses.isEmpty()) {
      throw new IllegalArgumentException(
          "the listener of node " + node + " must have a host name or an address");
    }
    for (String address : addresses) {
      // literals only: nothing is looked up
      if (!NetUtil.isValidIpV4Address(address) && !NetUtil.isValidIpV6Address(address)) {
        throw new IllegalArgumentException(
            "an address of node %s must be an IP address, got \"%s\"".formatted(node, address));
      }
    }
  }
}
