package dev.vertlet.stages.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vertlet.model.node.NodeAddressView;
import dev.vertlet.provider.node.NodeSpec;
import dev.vertlet.stages.play.StageObject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The nodes whose stages this agent plays, with their addresses and the ranges of their pods. */
final class NodeBook {
  private static final String INTERNAL = "InternalIP";

  private final StageNodes nodes;
  private final Set<String> served = new HashSet<>();
  private final Map<String, Known> known = new HashMap<>();

  /** Nodes that this agent does not serve, to be played once it does. */
  private final Map<String, byte[]> waiting = new HashMap<>();

  /**
   * @param hostIps internal addresses before external ones
   * @param podCidrs one, or one of each family
   */
  record Known(List<String> hostIps, List<String> podCidrs) {}

  NodeBook(StageNodes nodes) {
    this.nodes = nodes;
  }

  /** This agent holds the node's Lease, or has lost it. */
  void served(String node, boolean value) {
    if (value) {
      served.add(node);
    } else {
      served.remove(node);
    }
  }

  /** Whether this agent plays the stages of a node. */
  boolean plays(String node) {
    return served.contains(node) && nodes.spec(node).isPresent();
  }

  /** Whether this agent plays the stages of a node's pods: their addresses need the node. */
  boolean playsPodsOf(String node) {
    return known.containsKey(node) && plays(node);
  }

  /** Keeps a version of a node that this agent does not play. */
  void keep(StageObject node) {
    waiting.put(node.name(), node.packed());
  }

  /** Returns the version that was kept, once; null without one. */
  @Nullable StageObject kept(String node) {
    byte[] packed = waiting.remove(node);
    return packed == null ? null : StageObject.unpacked(packed);
  }

  /**
   * Takes a version of a node.
   *
   * @return whether it is the first one
   */
  boolean observed(StageObject node) {
    JsonNode json = node.json();
    List<String> ips = new ArrayList<>();
    for (String type : List.of(INTERNAL, "ExternalIP")) {
      for (JsonNode address : json.path("status").path("addresses")) {
        if (address.path("type").asText().equals(type)) {
          ips.add(address.path("address").asText());
        }
      }
    }
    List<String> cidrs = new ArrayList<>();
    json.path("spec").path("podCIDRs").forEach(cidr -> cidrs.add(cidr.asText()));
    String cidr = json.path("spec").path("podCIDR").asText("");
    if (cidrs.isEmpty() && !cidr.isEmpty()) {
      cidrs.add(cidr);
    }
    return known.put(node.name(), new Known(List.copyOf(ips), List.copyOf(cidrs))) == null;
  }

  void gone(String node) {
    known.remove(node);
    waiting.remove(node);
  }

  /** Addresses of a node: those of its object, or those of its configuration. */
  List<String> hostIps(String node) {
    Known found = known.get(node);
    return found != null && !found.hostIps().isEmpty() ? found.hostIps() : configuredIps(node);
  }

  private List<String> configuredIps(String node) {
    return nodes.spec(node).stream()
        .flatMap(spec -> spec.addresses().stream())
        .filter(address -> address.type().equals(INTERNAL))
        .map(NodeAddressView::address)
        .toList();
  }

  /** Internal address of a node's configuration, empty without one. */
  String configuredIp(String node) {
    List<String> ips = configuredIps(node);
    return ips.isEmpty() ? "" : ips.get(0);
  }

  int kubeletPort(String node) {
    return nodes.kubeletPort(node);
  }

  /** Ranges of a node's pods: those that the cluster allocated, or that of its configuration. */
  List<String> podCidrs(String node) {
    Known found = known.get(node);
    if (found != null && !found.podCidrs().isEmpty()) {
      return found.podCidrs();
    }
    Optional<String> configured =
        nodes.spec(node).map(NodeSpec::podCidr).filter(cidr -> !cidr.isEmpty());
    return configured.map(List::of).orElse(List.of());
  }
}
