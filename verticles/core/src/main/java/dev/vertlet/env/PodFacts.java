package dev.vertlet.env;

import java.util.List;
import java.util.Map;

/**
 * Facts of a pod beyond its object that an environment may contain.
 *
 * @param podIPs primary first, empty before the pod has its sandbox
 * @param hostIPs of the node, primary first
 * @param allocatable of the node: resource name to quantity
 */
public record PodFacts(List<String> podIPs, List<String> hostIPs, Map<String, String> allocatable) {
  public PodFacts {
    podIPs = List.copyOf(podIPs);
    hostIPs = List.copyOf(hostIPs);
    allocatable = Map.copyOf(allocatable);
  }
}
