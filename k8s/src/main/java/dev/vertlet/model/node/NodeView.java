package dev.vertlet.model.node;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vertlet.model.KubeObject;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a node that decisions need.
 *
 * @param podCidr {@code spec.podCIDRs} separated by commas, or {@code spec.podCIDR}; empty for none
 * @param configSource {@code spec.configSource}, which API servers from 1.26 on keep only on nodes
 *     that had it before; null for none
 * @param configStatus {@code status.config}, kept by the same servers; null for none
 */
public record NodeView(
    String name,
    String uid,
    long resourceVersion,
    Map<String, String> labels,
    Map<String, String> annotations,
    List<TaintView> taints,
    boolean deleting,
    NodeStatusView status,
    String podCidr,
    @Nullable JsonNode configSource,
    @Nullable JsonNode configStatus)
    implements KubeObject {
  /** Creates a node without a pod CIDR. */
  public NodeView(
      String name,
      String uid,
      long resourceVersion,
      Map<String, String> labels,
      Map<String, String> annotations,
      List<TaintView> taints,
      boolean deleting,
      NodeStatusView status,
      @Nullable JsonNode configSource,
      @Nullable JsonNode configStatus) {
    this(
        name,
        uid,
        resourceVersion,
        labels,
        annotations,
        taints,
        deleting,
        status,
        "",
        configSource,
        configStatus);
  }

  /** Creates a node without dynamic configuration. */
  public NodeView(
      String name,
      String uid,
      long resourceVersion,
      Map<String, String> labels,
      Map<String, String> annotations,
      List<TaintView> taints,
      boolean deleting,
      NodeStatusView status) {
    this(name, uid, resourceVersion, labels, annotations, taints, deleting, status, null, null);
  }

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
