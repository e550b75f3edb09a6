package dev.vertlet.nodes;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * How the control plane reaches a node's kubelet.
 *
 * @param port 1 to 65535; 0 for not at all
 * @param declaredFeatures what this kubelet can do that a control plane has to know of, in
 *     alphabetical order
 */
public record KubeletEndpoint(int port, List<String> declaredFeatures) {
  /** Nothing is served. */
  public static final KubeletEndpoint NONE = new KubeletEndpoint(0, List.of());

  public KubeletEndpoint {
    declaredFeatures = List.copyOf(declaredFeatures);
  }

  /** The same of a node with these features as well, which are there without a server. */
  KubeletEndpoint declaring(List<String> others) {
    List<String> all =
        Stream.concat(declaredFeatures.stream(), others.stream()).distinct().sorted().toList();
    return new KubeletEndpoint(port, all);
  }

  /** That of a node; {@link #NONE} for one that is not among them. */
  static KubeletEndpoint of(Map<String, KubeletEndpoint> byNode, String node) {
    return byNode.getOrDefault(node, NONE);
  }
}
