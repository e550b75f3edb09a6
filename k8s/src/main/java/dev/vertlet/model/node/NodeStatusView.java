package dev.vertlet.model.node;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The part of a node's status that an agent owns.
 *
 * @param capacity resource name to canonical quantity
 * @param conditions in order; in a wanted status only vertlet's own
 * @param nodeInfo the string fields of {@code status.nodeInfo}, by their JSON names
 * @param kubeletPort 0 while no kubelet endpoint is served
 * @param declaredFeatures that a control plane may rely on, in alphabetical order
 * @param features that its container runtime supports
 * @param images of the node, the largest first; null if the server has none, and in a wanted status
 *     for no change
 */
public record NodeStatusView(
    Map<String, String> capacity,
    Map<String, String> allocatable,
    List<NodeConditionView> conditions,
    List<NodeAddressView> addresses,
    Map<String, String> nodeInfo,
    int kubeletPort,
    List<String> declaredFeatures,
    RuntimeFeatures features,
    @Nullable List<NodeImageView> images) {
  /** Creates a status without runtime features and without images. */
  public NodeStatusView(
      Map<String, String> capacity,
      Map<String, String> allocatable,
      List<NodeConditionView> conditions,
      List<NodeAddressView> addresses,
      Map<String, String> nodeInfo,
      int kubeletPort,
      List<String> declaredFeatures) {
    this(
        capacity,
        allocatable,
        conditions,
        addresses,
        nodeInfo,
        kubeletPort,
        declaredFeatures,
        RuntimeFeatures.NONE,
        null);
  }

  /** Creates a status without declared features. */
  public NodeStatusView(
      Map<String, String> capacity,
      Map<String, String> allocatable,
      List<NodeConditionView> conditions,
      List<NodeAddressView> addresses,
      Map<String, String> nodeInfo,
      int kubeletPort) {
    this(capacity, allocatable, conditions, addresses, nodeInfo, kubeletPort, List.of());
  }

  public NodeStatusView {
    capacity = Map.copyOf(capacity);
    allocatable = Map.copyOf(allocatable);
    conditions = List.copyOf(conditions);
    addresses = List.copyOf(addresses);
    nodeInfo = Map.copyOf(nodeInfo);
    declaredFeatures = List.copyOf(declaredFeatures);
    images = images == null ? null : List.copyOf(images);
  }

  /** Returns the condition of this type, or null. */
  public @Nullable NodeConditionView condition(String type) {
    for (NodeConditionView condition : conditions) {
      if (condition.type().equals(type)) {
        return condition;
      }
    }
    return null;
  }

  public NodeStatusView withConditions(List<NodeConditionView> replacement) {
    return new NodeStatusView(
        capacity,
        allocatable,
        replacement,
        addresses,
        nodeInfo,
        kubeletPort,
        declaredFeatures,
        features,
        images);
  }

  /** Returns the same status with other allocatable resources. */
  public NodeStatusView withAllocatable(Map<String, String> replacement) {
    return new NodeStatusView(
        capacity,
        replacement,
        conditions,
        addresses,
        nodeInfo,
        kubeletPort,
        declaredFeatures,
        features,
        images);
  }

  /** Returns the same status with another kubelet endpoint. */
  public NodeStatusView withKubelet(int port, List<String> declared) {
    return new NodeStatusView(
        capacity, allocatable, conditions, addresses, nodeInfo, port, declared, features, images);
  }
}
