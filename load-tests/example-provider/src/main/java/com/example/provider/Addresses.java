package com.example.provider;

import dev.vertlet.model.pod.PodView;
import dev.vertlet.provider.ProviderSetup;
import java.util.HashMap;
import java.util.Map;

/** Hands out the addresses of each node's podCIDR, which the example takes for a /24. */
final class Addresses {
  private final ProviderSetup setup;
  private final Map<String, String> byPod = new HashMap<>();

  Addresses(ProviderSetup setup) {
    this.setup = setup;
  }

  /** The pod's address, a new one when it has none. */
  String of(PodView pod) {
    return byPod.computeIfAbsent(pod.uid(), uid -> next(pod.nodeName()));
  }

  /** An address that a pod has from before a restart. */
  void taken(String uid, String ip) {
    byPod.put(uid, ip);
  }

  void free(String uid) {
    byPod.remove(uid);
  }

  private String next(String node) {
    String cidr = setup.node(node).podCidr();
    String network = cidr.substring(0, cidr.lastIndexOf('.') + 1);
    for (int host = 1; host < 255; host++) {
      if (!byPod.containsValue(network + host)) {
        return network + host;
      }
    }
    throw new IllegalStateException("node " + node + " has no address left in " + cidr);
  }
}
