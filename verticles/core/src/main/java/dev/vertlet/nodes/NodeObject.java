package dev.vertlet.nodes;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.model.node.NodeConditionView;
import dev.vertlet.model.node.NodeImageView;
import dev.vertlet.model.node.NodeStatusView;
import dev.vertlet.model.node.NodeView;
import dev.vertlet.model.node.TaintView;
import dev.vertlet.provider.node.NodeSpec;
import io.vertx.core.buffer.Buffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The desired state of a Node object, and the smallest write that leads to it. Pure.
 *
 * <p>The annotation {@link LastApplied#ANNOTATION} lists the labels, annotations and taints that an
 * agent has applied, so that those removed from the configuration are removed from the node and
 * those of others stay. Own labels and annotations that other clients remove or change are
 * restored. Own taints are not, as a kubelet applies its taints only at registration: they are
 * written when the node is created, and when the configuration changes. On an adopted node none of
 * these is written, and of its status only missing fields.
 */
final class NodeObject {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final NodeSpec spec;
  private final String agentLabel;
  private final LastApplied own;
  private final boolean adopted;
  private final boolean selfManaged;
  private final boolean leavesStatus;

  NodeObject(NodeSpec spec, String agentLabel) {
    this(spec, agentLabel, false, false, false);
  }

  private NodeObject(
      NodeSpec spec,
      String agentLabel,
      boolean adopted,
      boolean selfManaged,
      boolean leavesStatus) {
    this.spec = spec;
    this.agentLabel = agentLabel;
    this.own = LastApplied.of(spec);
    this.adopted = adopted;
    this.selfManaged = selfManaged;
    this.leavesStatus = leavesStatus;
  }

  /**
   * Creates the desired state of an adopted node.
   *
   * @param spec defaults for fields that the object lacks
   * @param selfManaged whether another client writes its status, too
   */
  static NodeObject adopted(NodeSpec spec, boolean selfManaged) {
    return new NodeObject(spec, "", true, selfManaged, false);
  }

  /** Returns the same node, whose status is written once at most: when the node is created. */
  NodeObject leavingStatus() {
    return new NodeObject(spec, agentLabel, adopted, selfManaged, true);
  }

  /** Whether another client creates and deletes the node. */
  boolean adopted() {
    return adopted;
  }

  boolean selfManaged() {
    return selfManaged;
  }

  /** Whether the status of the existing node is another writer's. */
  boolean leavesStatus() {
    return leavesStatus;
  }

  NodeSpec spec() {
    return spec;
  }

  /**
   * Returns the same node with another description. A resource that the description no longer
   * contains becomes zero: kubelets, too, keep the resources of a device plugin as zero.
   */
  NodeObject with(NodeSpec described) {
    if (adopted) {
      return new NodeObject(described, "", true, selfManaged, leavesStatus);
    }
    NodeSpec next =
        new NodeSpec(
            described.name(),
            described.labels(),
            described.annotations(),
            described.taints(),
            withdrawn(spec.capacity(), described.capacity()),
            withdrawn(spec.allocatable(), described.allocatable()),
            described.addresses(),
            described.nodeInfo(),
            described.podCidr(),
            described.features(),
            described.images());
    return next.equals(spec) ? this : new NodeObject(next, agentLabel, false, false, leavesStatus);
  }

  private static Map<String, String> withdrawn(
      Map<String, String> before, Map<String, String> now) {
    Map<String, String> resources = new HashMap<>(now);
    before.keySet().forEach(resource -> resources.putIfAbsent(resource, "0"));
    return resources;
  }

  /** Whole object, to create the node. */
  Buffer create(NodeStatusView status, Instant now) {
    ObjectNode node = JSON.createObjectNode();
    node.put("apiVersion", "v1").put("kind", "Node");
    ObjectNode metadata = node.putObject("metadata").put("name", spec.name());
    metadata.set("labels", NodeJson.strings(labels()));
    metadata.set("annotations", NodeJson.strings(annotations()));
    node.putObject("spec").set("taints", NodeJson.taints(spec.taints()));
    NodeStatusView first = leavesStatus ? status.withConditions(List.of()) : status;
    node.set("status", NodeJson.status(first, now));
    return NodeJson.bytes(node);
  }

  /** Patch of labels, annotations and taints that differ; empty without a difference. */
  Optional<Buffer> metadataPatch(NodeView current) {
    if (adopted) {
      return Optional.empty();
    }
    LastApplied before = LastApplied.decode(current.annotations().get(LastApplied.ANNOTATION));
    ObjectNode labels = difference(current.labels(), labels(), before.labels());
    ObjectNode annotations = difference(current.annotations(), annotations(), before.annotations());
    List<TaintView> taints = mergedTaints(current.taints(), before);
    boolean sameTaints = taints.equals(current.taints());
    if (labels.isEmpty() && annotations.isEmpty() && sameTaints) {
      return Optional.empty();
    }
    ObjectNode patch = JSON.createObjectNode();
    ObjectNode metadata = patch.putObject("metadata").put("uid", current.uid());
    if (!labels.isEmpty()) {
      metadata.set("labels", labels);
    }
    if (!annotations.isEmpty()) {
      metadata.set("annotations", annotations);
    }
    if (!sameTaints) {
      // taints are replaced as one list: the patch must fail if it has changed since it was read
      metadata.put("resourceVersion", Long.toString(current.resourceVersion()));
      patch.putObject("spec").set("taints", NodeJson.taints(taints));
    }
    return Optional.of(NodeJson.bytes(patch));
  }

  /**
   * Status patch from {@code current} to {@code wanted}; empty if only heartbeat times differ.
   *
   * @param heartbeat writes all conditions with new heartbeat times even without a difference
   */
  Optional<Buffer> statusPatch(
      NodeView current, NodeStatusView wanted, Instant now, boolean heartbeat) {
    NodeStatusView complete =
        adopted
            ? AdoptedStatus.complete(current.status(), wanted)
            : ForeignResources.counted(current.status(), wanted);
    NodeStatusView settled = settle(current.status(), complete, now);
    List<String> stale = adopted ? List.of() : ForeignResources.stale(current.status(), settled);
    if (!heartbeat && stale.isEmpty() && sameStatus(current.status(), settled)) {
      return Optional.empty();
    }
    ObjectNode patch = JSON.createObjectNode();
    patch.putObject("metadata").put("uid", current.uid());
    ObjectNode status = NodeJson.status(settled, now);
    stale.forEach(resource -> status.withObject("/allocatable").putNull(resource));
    status.set("$setElementOrder/conditions", conditionOrder(current.status(), settled));
    if (settled.declaredFeatures().isEmpty() && !current.status().declaredFeatures().isEmpty()) {
      status.putNull("declaredFeatures");
    }
    images(status, current.status(), settled);
    if (sameAddresses(current.status(), settled)) {
      status.remove("addresses");
    } else if (status.get("addresses") instanceof ArrayNode addresses) {
      addresses.insertObject(0).put("$patch", "replace");
    }
    if (adopted) {
      AdoptedStatus.trim(status, current.status());
    }
    patch.set("status", status);
    return Optional.of(NodeJson.bytes(patch));
  }

  /** Keeps the transition time of every condition whose status is unchanged. */
  private static NodeStatusView settle(NodeStatusView current, NodeStatusView wanted, Instant now) {
    List<NodeConditionView> conditions = new ArrayList<>();
    for (NodeConditionView c : wanted.conditions()) {
      NodeConditionView old = current.condition(c.type());
      boolean kept = old != null && old.status().equals(c.status());
      Instant since = old != null && kept ? old.lastTransitionTime() : now;
      conditions.add(
          new NodeConditionView(c.type(), c.status(), c.reason(), c.message(), now, since));
    }
    return wanted.withConditions(conditions);
  }

  private static boolean sameStatus(NodeStatusView current, NodeStatusView wanted) {
    for (NodeConditionView c : wanted.conditions()) {
      NodeConditionView old = current.condition(c.type());
      if (old == null || !old.sameState(c)) {
        return false;
      }
    }
    // resources that other clients patch onto a node stay
    return current.capacity().entrySet().containsAll(wanted.capacity().entrySet())
        && current.allocatable().entrySet().containsAll(wanted.allocatable().entrySet())
        && sameAddresses(current, wanted)
        && current.nodeInfo().entrySet().containsAll(wanted.nodeInfo().entrySet())
        && current.kubeletPort() == wanted.kubeletPort()
        && current.declaredFeatures().equals(wanted.declaredFeatures())
        && current.features().equals(wanted.features())
        && sameImages(current, wanted);
  }

  private static boolean sameImages(NodeStatusView current, NodeStatusView wanted) {
    List<NodeImageView> images = wanted.images();
    return images == null
        || images.equals(current.images())
        || (images.isEmpty() && current.images() == null);
  }

  private static boolean sameAddresses(NodeStatusView current, NodeStatusView wanted) {
    return current.addresses().equals(wanted.addresses());
  }

  /** Order of conditions: those of other clients first, then ours, Ready last. */
  private static ArrayNode conditionOrder(NodeStatusView current, NodeStatusView wanted) {
    ArrayNode order = JSON.createArrayNode();
    for (NodeConditionView c : current.conditions()) {
      if (wanted.condition(c.type()) == null) {
        order.addObject().put("type", c.type());
      }
    }
    for (NodeConditionView c : wanted.conditions()) {
      order.addObject().put("type", c.type());
    }
    return order;
  }

  private Map<String, String> labels() {
    Map<String, String> labels = new TreeMap<>(spec.labels());
    labels.put(NodeOptions.AGENT_LABEL, agentLabel);
    return labels;
  }

  private Map<String, String> annotations() {
    Map<String, String> annotations = new TreeMap<>(spec.annotations());
    annotations.put(LastApplied.ANNOTATION, own.encode());
    return annotations;
  }

  private List<TaintView> mergedTaints(List<TaintView> current, LastApplied before) {
    List<TaintView> merged = new ArrayList<>();
    for (TaintView taint : current) {
      TaintView wanted = find(spec.taints(), taint);
      if (wanted != null) {
        boolean kept = wanted.value().equals(taint.value()) || before.appliedAs(wanted);
        merged.add(kept ? taint : wanted);
      } else if (!before.applied(taint)) {
        merged.add(taint);
      }
    }
    for (TaintView taint : spec.taints()) {
      if (find(current, taint) == null && !before.appliedAs(taint)) {
        merged.add(taint);
      }
    }
    return merged;
  }

  private static @Nullable TaintView find(List<TaintView> taints, TaintView like) {
    for (TaintView taint : taints) {
      if (taint.sameAs(like)) {
        return taint;
      }
    }
    return null;
  }

  private static ObjectNode difference(
      Map<String, String> current, Map<String, String> wanted, List<String> before) {
    ObjectNode difference = JSON.createObjectNode();
    wanted.forEach(
        (key, value) -> {
          if (!value.equals(current.get(key))) {
            difference.put(key, value);
          }
        });
    for (String key : before) {
      if (!wanted.containsKey(key) && current.containsKey(key)) {
        difference.putNull(key);
      }
    }
    return difference;
  }

  /** Replaces the long list of images as a whole, and only if it differs. */
  private static void images(ObjectNode status, NodeStatusView current, NodeStatusView wanted) {
    if (sameImages(current, wanted)) {
      status.remove("images");
    } else if (!status.has("images")) {
      status.putNull("images");
    }
  }
}
