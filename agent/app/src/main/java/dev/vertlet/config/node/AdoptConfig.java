package dev.vertlet.config.node;

import dev.vertlet.config.process.Host;
import dev.vertlet.model.node.NodeAddressView;
import dev.vertlet.model.node.NodeStatusView;
import dev.vertlet.model.node.NodeView;
import dev.vertlet.model.resource.HugePages;
import dev.vertlet.model.resource.Quantities;
import dev.vertlet.problem.Problems;
import dev.vertlet.provider.node.NodeSpec;
import dev.vertlet.sources.NodeSources;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * One item of {@code nodes} with {@code adopt}: selects Node objects that other tools create, and
 * holds the values that those objects lack. Immutable.
 */
public final class AdoptConfig {
  private final CheckedTemplate checked;
  private final NodeTemplate template;
  private final Host host;

  /**
   * @param checked a template with {@code adopt}
   */
  AdoptConfig(CheckedTemplate checked, Host host) {
    this.checked = checked;
    this.template = checked.template();
    this.host = host;
  }

  /** Index in {@code nodes}. */
  public int template() {
    return checked.index();
  }

  /** Label selector of the adopted Node objects; never empty. */
  public String labelSelector() {
    return template.labelSelector();
  }

  /** Whether other tools write the nodes' status and Leases. */
  public boolean selfManaged() {
    return template.selfManaged();
  }

  /** Name of the provider that runs their pods. */
  public String provider() {
    return template.provider();
  }

  /** Block of pod addresses for adopted nodes without {@code spec.podCIDR}. */
  public String podCidr() {
    return template.podCIDR();
  }

  /** Prefix length of one node's slice of {@link #podCidr}. */
  public int podCidrMask() {
    Integer given = template.podCIDRMask();
    if (given != null) {
      return given;
    }
    int block = Ipv4Block.parse(podCidr()).map(Ipv4Block::prefix).orElse(0);
    boolean saysPods = template.capacity().containsKey(NodeResources.PODS);
    int needed =
        saysPods ? PodCidrs.fitting(checked.resources().pods(), PodCidrs.USUAL) : PodCidrs.USUAL;
    return Math.max(block, needed);
  }

  /** Addresses for adopted nodes whose object has none. */
  public List<NodeAddressView> addresses() {
    return NodePlanner.addresses(template, host);
  }

  /**
   * Combines the Node object with the template's values for the fields that the object lacks.
   *
   * @param slice pod addresses for a node without {@code spec.podCIDR}; may be empty
   */
  public ConfiguredNode node(NodeView object, String slice) {
    NodeStatusView status = object.status();
    String podCidr = object.podCidr().isEmpty() ? slice : object.podCidr();
    Map<String, String> capacity = new TreeMap<>(within(podCidr).capacity());
    capacity.putAll(status.capacity());
    Map<String, String> allocatable = allocatable(capacity);
    allocatable.putAll(status.allocatable());
    Map<String, String> info = new TreeMap<>(NodePlanner.nodeInfo(template, host, object.name()));
    status
        .nodeInfo()
        .forEach(
            (key, value) -> {
              if (!value.isEmpty()) {
                info.put(key, value);
              }
            });
    NodeSpec spec =
        new NodeSpec(
            object.name(),
            object.labels(),
            object.annotations(),
            object.taints(),
            capacity,
            allocatable,
            status.addresses().isEmpty() ? addresses() : status.addresses(),
            info,
            podCidr);
    return checked.node(spec, new NodeSources(object.name(), null, null));
  }

  /** Limits the default of {@code pods} to the number of pod addresses. */
  private NodeResources within(String podCidr) {
    return Ipv4Block.parse(podCidr)
        .map(block -> checked.resources().within(Ipv4Block.hosts(block.prefix())))
        .orElse(checked.resources());
  }

  /** Subtracts the reservations from the node's capacity. */
  private Map<String, String> allocatable(Map<String, String> capacity) {
    Map<String, Quantity> has = new TreeMap<>();
    capacity.forEach(
        (resource, text) -> {
          try {
            has.put(resource, Quantities.parseNotNegative(resource, text));
          } catch (IllegalArgumentException e) {
            // the API server accepted this quantity; no reservation is subtracted from it
          }
        });
    Map<String, String> left = new TreeMap<>(capacity);
    Reservation.parse(template, has, new Problems())
        .forEach(
            (resource, taken) -> {
              Quantity all = has.get(resource);
              if (all != null) {
                boolean more = Quantities.compare(taken, all) > 0;
                left.put(resource, more ? "0" : Quantities.subtract(all, taken).toString());
              }
            });
    left.computeIfPresent(
        "memory", (memory, rest) -> HugePages.off(rest, NodeResources.texts(has)));
    return left;
  }
}
