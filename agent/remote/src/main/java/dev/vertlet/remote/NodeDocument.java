package dev.vertlet.remote;

import dev.vertlet.model.node.NodeConditionView;
import dev.vertlet.model.node.NodeView;
import dev.vertlet.model.node.TaintView;
import dev.vertlet.provider.node.NodeProvider.NodeHealth;
import dev.vertlet.provider.node.NodeSpec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What a back end says of a node, laid over its configuration. Pure. */
final class NodeDocument {
  private static final String READY = "Ready";

  private NodeDocument() {}

  /** Returns the node with the back end's properties; those that it leaves out stay. */
  static NodeSpec over(NodeSpec spec, NodeView said) {
    Map<String, String> capacity = merged(spec.capacity(), said.status().capacity());
    Map<String, String> allocatable = merged(spec.allocatable(), said.status().capacity());
    return new NodeSpec(
        spec.name(),
        merged(spec.labels(), said.labels()),
        merged(spec.annotations(), said.annotations()),
        taints(spec.taints(), said.taints()),
        capacity,
        merged(allocatable, said.status().allocatable()),
        said.status().addresses().isEmpty() ? spec.addresses() : said.status().addresses(),
        merged(spec.nodeInfo(), said.status().nodeInfo()),
        said.podCidr().isEmpty() ? spec.podCidr() : said.podCidr(),
        spec.features(),
        said.status().images() == null ? spec.images() : said.status().images());
  }

  private static Map<String, String> merged(Map<String, String> below, Map<String, String> above) {
    Map<String, String> all = new HashMap<>(below);
    all.putAll(above);
    return all;
  }

  private static List<TaintView> taints(List<TaintView> below, List<TaintView> above) {
    List<TaintView> all = new ArrayList<>(above);
    below.stream().filter(own -> above.stream().noneMatch(own::sameAs)).forEach(all::add);
    return all;
  }

  /** Returns the health that the node's conditions show. */
  static NodeHealth health(NodeView said) {
    List<NodeConditionView> others = new ArrayList<>();
    boolean ready = true;
    String message = "";
    for (NodeConditionView condition : said.status().conditions()) {
      if (!condition.type().equals(READY)) {
        others.add(condition);
      } else if (!condition.status().equals("True")) {
        ready = false;
        message = condition.message();
      }
    }
    return new NodeHealth(ready, message, others);
  }
}
