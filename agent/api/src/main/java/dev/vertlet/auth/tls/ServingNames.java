package dev.vertlet.auth.tls;

import dev.vertlet.model.node.NodeAddressView;
import io.netty.util.NetUtil;
import java.util.ArrayList;
import java.util.List;

/**
 * Names of one listener.
 *
 * @param node its node; the first node of a shared listener
 * @param hostNames DNS names that clients use
 * @param addresses IP addresses that clients use, as in the Node's status
 */
public record ServingNames(String node, List<String> hostNames, List<String> addresses) {
  /**
   * @throws IllegalArgumentException when an address is invalid or there is no name
   */
  public ServingNames {
    hostNames = hostNames.stream().distinct().sorted().toList();
    addresses = addresses.stream().distinct().sorted().toList();
    if (hostNames.isEmpty() && addresses.isEmpty()) {
      throw new IllegalArgumentException(
          "the listener of node " + node + " must have a host name or an address");
    }
    for (String address : addresses) {
      // literals only: no DNS look-up
      if (!NetUtil.isValidIpV4Address(address) && !NetUtil.isValidIpV6Address(address)) {
        throw new IllegalArgumentException(
            "an address of node %s must be an IP address, got \"%s\"".formatted(node, address));
      }
    }
  }

  /**
   * Returns the names of a listener for these addresses of Nodes.
   *
   * @throws IllegalArgumentException when an address is invalid or there is none
   */
  public static ServingNames of(String node, List<NodeAddressView> addresses) {
    List<String> hosts = new ArrayList<>();
    List<String> ips = new ArrayList<>();
    addresses.forEach(
        address -> (address.type().endsWith("IP") ? ips : hosts).add(address.address()));
    return new ServingNames(node, hosts, ips);
  }
}
