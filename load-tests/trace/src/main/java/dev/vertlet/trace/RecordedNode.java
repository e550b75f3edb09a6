package dev.vertlet.trace;

import java.util.List;
import java.util.Map;

/**
 * Shape of a node: what scheduling depends on.
 *
 * @param capacity quantities by resource name, for example {@code cpu} to {@code 3920m}
 * @param allocatable as {@code capacity}
 * @param unschedulable whether the node is cordoned
 */
public record RecordedNode(
    String name,
    Map<String, String> labels,
    List<Taint> taints,
    Map<String, String> capacity,
    Map<String, String> allocatable,
    boolean unschedulable) {

  public RecordedNode {
    labels = Map.copyOf(labels);
    taints = List.copyOf(taints);
    capacity = Map.copyOf(capacity);
    allocatable = Map.copyOf(allocatable);
  }

  /**
   * A taint.
   *
   * @param value may be empty
   * @param effect {@code NoSchedule}, {@code PreferNoSchedule} or {@code NoExecute}
   */
  public record Taint(String key, String value, String effect) {}
}
