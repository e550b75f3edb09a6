package dev.vertlet.nodes;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Kubelet endpoint of a node.
 *
 * @param port 1 to 65535; 0 for none
 * @param declaredFeatures features of this kubelet that the control plane must know, in
 *     alphabetical order
 */
public record KubeletEndpoint(int port, List<String> declaredFeatures) {
  /** No endpoint. */
  public static final KubeletEndpoint NONE = new KubeletEndpoint(0, List.of());

  public KubeletEndpoint {
    declaredFeatures = List.copyOf(declaredFeatures);
  }

  /** Adds features that do not depend on the kubelet's server. */
  KubeletEndpoint declaring(List<String> others) {
    List<String> all =
        Stream.concat(declaredFeatures.stream(), others.stream()).distinct().sorted().toList();
    return new KubeletEndpoint(port, all);
  }

  /** Returns the endpoint of a node, or {@link #NONE}. */
  static KubeletEndpoint of(Map<String, KubeletEndpoint> byNode, String node) {
    return byNode.getOrDefault(node, NONE);
  }
}
