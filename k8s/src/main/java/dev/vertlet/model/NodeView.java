package dev.vertlet.model;

import java.util.List;
import java.util.Map;

/** A node as the watch delivers it, without what no decision needs. */
public record NodeView(
    String name,
    String uid,
    long resourceVersion,
    Map<String, String> labels,
    Map<String, String> annotations,
    List<TaintView> taints,
    boolean deleting,
    NodeStatusView status)
    implements KubeObject {
  public NodeView {
    labels = Map.copyOf(labels);
    annotations = Map.copyOf(annotations);
    taints = List.copyOf(taints);
  }

  @Override
  public String namespace() {
    return "";
  }
}
