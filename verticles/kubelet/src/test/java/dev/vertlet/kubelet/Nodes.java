package dev.vertlet.kubelet;

import dev.vertlet.model.node.NodeStatusView;
import dev.vertlet.model.node.NodeView;
import dev.vertlet.model.node.TaintView;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Builds nodes for tests; without an amount a node takes any pod. */
public final class Nodes {
  private final String name;
  private long version = 1;
  private final Map<String, String> labels = new HashMap<>();
  private final Map<String, String> allocatable = new HashMap<>();
  private final List<TaintView> taints = new ArrayList<>();

  public Nodes(String name) {
    this.name = name;
  }

  public Nodes has(String resource, String amount) {
    allocatable.put(resource, amount);
    return this;
  }

  Nodes label(String key, String value) {
    labels.put(key, value);
    return this;
  }

  Nodes taint(String key, String effect) {
    taints.add(new TaintView(key, "", effect));
    return this;
  }

  Nodes version(long resourceVersion) {
    version = resourceVersion;
    return this;
  }

  public NodeView build() {
    NodeStatusView status =
        new NodeStatusView(
            allocatable, allocatable, List.of(), List.of(), Map.of("operatingSystem", "linux"), 0);
    return new NodeView(name, "uid-" + name, version, labels, Map.of(), taints, false, status);
  }
}
