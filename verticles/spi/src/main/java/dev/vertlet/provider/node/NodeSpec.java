package dev.vertlet.provider.node;

import dev.vertlet.model.node.NodeAddressView;
import dev.vertlet.model.node.NodeImageView;
import dev.vertlet.model.node.RuntimeFeatures;
import dev.vertlet.model.node.TaintView;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Description of one virtual node.
 *
 * @param capacity resource name to quantity; cpu, memory and pods are required for the node to
 *     become Ready
 * @param allocatable what pods may use, never above capacity
 * @param nodeInfo the string fields of {@code status.nodeInfo}, by their JSON names
 * @param podCidr addresses of the node's pods, for example {@code 10.200.0.0/16}
 * @param features that its container runtime supports
 * @param images the node's images that its status shows, the largest first; null if unknown
 */
public record NodeSpec(
    String name,
    Map<String, String> labels,
    Map<String, String> annotations,
    List<TaintView> taints,
    Map<String, String> capacity,
    Map<String, String> allocatable,
    List<NodeAddressView> addresses,
    Map<String, String> nodeInfo,
    String podCidr,
    RuntimeFeatures features,
    @Nullable List<NodeImageView> images) {
  /** Creates a node without runtime features and without known images. */
  public NodeSpec(
      String name,
      Map<String, String> labels,
      Map<String, String> annotations,
      List<TaintView> taints,
      Map<String, String> capacity,
      Map<String, String> allocatable,
      List<NodeAddressView> addresses,
      Map<String, String> nodeInfo,
      String podCidr) {
    this(
        name,
        labels,
        annotations,
        taints,
        capacity,
        allocatable,
        addresses,
        nodeInfo,
        podCidr,
        RuntimeFeatures.NONE,
        null);
  }

  public NodeSpec {
    labels = Map.copyOf(labels);
    annotations = Map.copyOf(annotations);
    taints = List.copyOf(taints);
    capacity = Map.copyOf(capacity);
    allocatable = Map.copyOf(allocatable);
    addresses = List.copyOf(addresses);
    nodeInfo = Map.copyOf(nodeInfo);
    images = images == null ? null : List.copyOf(images);
  }

  /** Returns this node with another pod CIDR. */
  public NodeSpec withPodCidr(String other) {
    return with(other, features, images);
  }

  /** Returns this node with other runtime features. */
  public NodeSpec withFeatures(RuntimeFeatures other) {
    return other.equals(features) ? this : with(podCidr, other, images);
  }

  /** Returns this node with other images; null if they are unknown. */
  public NodeSpec withImages(@Nullable List<NodeImageView> others) {
    return Objects.equals(others, images) ? this : with(podCidr, features, others);
  }

  private NodeSpec with(
      String otherCidr, RuntimeFeatures otherFeatures, @Nullable List<NodeImageView> otherImages) {
    return new NodeSpec(
        name,
        labels,
        annotations,
        taints,
        capacity,
        allocatable,
        addresses,
        nodeInfo,
        otherCidr,
        otherFeatures,
        otherImages);
  }

  /** The address that pods show as hostIP, empty when the node has none. */
  public String hostIP() {
    List<String> all = hostIPs();
    return all.isEmpty() ? "" : all.get(0);
  }

  /**
   * The addresses that pods show as hostIPs: the first one, internal before external, and the first
   * of the other IP family.
   *
   * @see <a href="https://github.com/kubernetes/kubernetes/blob/v1.36.3/pkg/util/node/node.go">
   *     GetNodeHostIPs, Kubernetes 1.36.3</a>
   */
  public List<String> hostIPs() {
    List<String> all = new ArrayList<>(addresses.size());
    for (String type : List.of("InternalIP", "ExternalIP")) {
      for (NodeAddressView address : addresses) {
        if (address.type().equals(type)) {
          all.add(address.address());
        }
      }
    }
    if (all.isEmpty()) {
      return List.of();
    }
    String primary = all.get(0);
    for (String other : all) {
      if (ipv6(other) != ipv6(primary)) {
        return List.of(primary, other);
      }
    }
    return List.of(primary);
  }

  private static boolean ipv6(String address) {
    return address.indexOf(':') >= 0;
  }
}
