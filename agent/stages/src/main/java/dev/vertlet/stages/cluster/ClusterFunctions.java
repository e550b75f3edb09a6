package dev.vertlet.stages.cluster;

import dev.vertlet.stages.play.StageObject;
import dev.vertlet.stages.template.function.Functions;
import dev.vertlet.stages.template.function.KwokFunctions;
import dev.vertlet.stages.template.value.FunctionException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Functions that depend on the cluster, for the object that is being rendered. */
final class ClusterFunctions {
  private final NodeBook nodes;
  private final PodAddresses addresses;
  private @Nullable StageObject object;

  ClusterFunctions(NodeBook nodes, PodAddresses addresses) {
    this.nodes = nodes;
    this.addresses = addresses;
  }

  /** The templates of this object are rendered next. */
  void rendering(StageObject next) {
    object = next;
  }

  /** All functions of templates. */
  Functions all(Clock clock, String version) {
    return KwokFunctions.all(clock, version)
        .with("NodeIP", "", none -> nodes.configuredIp(name()))
        .with("NodeName", "", none -> name())
        .with("NodePort", "", none -> (long) nodes.kubeletPort(name()))
        .with("NodeIPWith", "string", a -> first(nodes.hostIps(a.string(0))))
        .with("NodeIPsWith", "string", a -> list(nodes.hostIps(a.string(0))))
        .with("PodIP", "", none -> first(podIps(nodeOf(), false)))
        .with(
            "PodIPWith",
            "string, bool, string, string, string",
            a -> first(podIps(a.string(0), a.bool(1))))
        .with(
            "PodIPsWith",
            "string, bool, string, string, string",
            a -> list(podIps(a.string(0), a.bool(1))));
  }

  private String name() {
    return object == null ? "" : object.name();
  }

  private String nodeOf() {
    return object == null ? "" : object.nodeName();
  }

  private List<String> podIps(String node, boolean hostNetwork) {
    List<String> cidrs = nodes.podCidrs(node);
    if (hostNetwork || cidrs.isEmpty()) {
      return nodes.hostIps(node);
    }
    try {
      return addresses.of(object == null ? "" : object.uid(), cidrs);
    } catch (IllegalArgumentException | IllegalStateException e) {
      throw new FunctionException(String.valueOf(e.getMessage()));
    }
  }

  private static String first(List<String> ips) {
    return ips.isEmpty() ? "" : ips.get(0);
  }

  private static List<Object> list(List<String> ips) {
    return new ArrayList<>(ips);
  }
}
