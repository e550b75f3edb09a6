package dev.vertlet.model;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The part of a node's status that an agent owns.
 *
 * @param capacity resource name to canonical quantity
 * @param conditions in the order they are shown; when vertlet wants a status, only its own
 * @param nodeInfo the string fields of {@code status.nodeInfo}, by their JSON names
 * @param kubeletPort 0 while no kubelet endpoint is served
 * @param declaredFeatures what a control plane may count on, in alphabetical order
 * @param features what its container runtime can do
 * @param images that it has, the largest first; null where the server shows none, and, when vertlet
 *     wants a status, for those that the server shows
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
  /** One without runtime features, of whose images nothing is said. */
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

  /** One that declares no features. */
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

  /** The condition of this type, or null. */
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

  /** The same node, of which pods may use this. */
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

  /** The same node, reached in another way. */
  public NodeStatusView withKubelet(int port, List<String> declared) {
    return new NodeStatusView(
        capacity, allocatable, conditions, addresses, nodeInfo, port, declared, features, images);
  }
}
