package dev.vertlet.nodes;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.model.NodeAddressView;
import dev.vertlet.model.NodeConditionView;
import dev.vertlet.model.NodeImageView;
import dev.vertlet.model.NodeStatusView;
import dev.vertlet.model.NodeView;
import dev.vertlet.model.RuntimeFeatures;
import dev.vertlet.model.TaintView;
import dev.vertlet.model.Timestamps;
import dev.vertlet.provider.NodeSpec;
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
 * What a Node object should look like, and the smallest write that makes it so. Pure.
 *
 * <p>The annotation {@link LastApplied#ANNOTATION} remembers which labels, annotations and taints
 * were put there by an agent, so that those taken out of the configuration are removed and those of
 * others are kept. Labels and annotations of ours that others remove or change are put right;
 * taints are not, as a kubelet only registers with its own: they are written with the node, and
 * when the configuration says something else. Of a node that was adopted none of these is touched,
 * and of its status only what it lacks is written.
 */
final class NodeObject {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final NodeSpec spec;
  private final String agentLabel;
  private final LastApplied own;
  private final boolean adopted;

  NodeObject(NodeSpec spec, String agentLabel) {
    this(spec, agentLabel, false);
  }

  private NodeObject(NodeSpec spec, String agentLabel, boolean adopted) {
    this.spec = spec;
    this.agentLabel = agentLabel;
    this.own = LastApplied.of(spec);
    this.adopted = adopted;
  }

  /**
   * One that somebody else made.
   *
   * @param spec what it has, where its object does not say
   */
  static NodeObject adopted(NodeSpec spec) {
    return new NodeObject(spec, "", true);
  }

  /** Whether somebody else makes and removes it. */
  boolean adopted() {
    return adopted;
  }

  NodeSpec spec() {
    return spec;
  }

  /**
   * The same node with another description. Of a resource that it has no longer there is none from
   * now on: kubelets, too, leave what a device plugin had registered on the node, as zero.
   */
  NodeObject with(NodeSpec described) {
    if (adopted) {
      return adopted(described);
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
    return next.equals(spec) ? this : new NodeObject(next, agentLabel);
  }

  private static Map<String, String> withdrawn(
      Map<String, String> before, Map<String, String> now) {
    Map<String, String> resources = new HashMap<>(now);
    before.keySet().forEach(resource -> resources.putIfAbsent(resource, "0"));
    return resources;
  }

  /** The whole object, for a node that does not exist yet. */
  Buffer create(NodeStatusView status, Instant now) {
    ObjectNode node = JSON.createObjectNode();
    node.put("apiVersion", "v1").put("kind", "Node");
    ObjectNode metadata = node.putObject("metadata").put("name", spec.name());
    metadata.set("labels", strings(labels()));
    metadata.set("annotations", strings(annotations()));
    node.putObject("spec").set("taints", taints(spec.taints()));
    node.set("status", status(status, now));
    return bytes(node);
  }

  /**
   * Labels, annotations and taints that {@code current} lacks or has too many of; empty when there
   * is nothing to do.
   */
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
      // taints are replaced as one list: nobody may have changed them since they were read
      metadata.put("resourceVersion", Long.toString(current.resourceVersion()));
      patch.putObject("spec").set("taints", taints(taints));
    }
    return Optional.of(bytes(patch));
  }

  /**
   * The status patch that turns {@code current} into {@code wanted}; empty when nothing but
   * heartbeat times differs.
   *
   * @param heartbeat write all conditions with new heartbeat times even when nothing changed
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
    ObjectNode status = status(settled, now);
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
    return Optional.of(bytes(patch));
  }

  /** Keeps the transition time of every condition whose status did not change. */
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
    // others may patch resources onto a node; they stay
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

  /** Conditions of others first, then ours, Ready last. */
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

  private static ObjectNode status(NodeStatusView status, Instant now) {
    ObjectNode json = JSON.createObjectNode();
    json.set("capacity", strings(status.capacity()));
    json.set("allocatable", strings(status.allocatable()));
    ArrayNode conditions = json.putArray("conditions");
    for (NodeConditionView c : status.conditions()) {
      conditions
          .addObject()
          .put("type", c.type())
          .put("status", c.status())
          .put("reason", c.reason())
          .put("message", c.message())
          .put("lastHeartbeatTime", Timestamps.format(now))
          .put("lastTransitionTime", Timestamps.format(orNow(c.lastTransitionTime(), now)));
    }
    ArrayNode addresses = json.putArray("addresses");
    for (NodeAddressView address : status.addresses()) {
      addresses.addObject().put("type", address.type()).put("address", address.address());
    }
    json.set("nodeInfo", strings(status.nodeInfo()));
    json.putObject("daemonEndpoints")
        .putObject("kubeletEndpoint")
        .put("Port", status.kubeletPort());
    if (!status.declaredFeatures().isEmpty()) {
      status.declaredFeatures().forEach(json.putArray("declaredFeatures")::add);
    }
    features(json, status.features());
    List<NodeImageView> images = status.images();
    if (images != null && !images.isEmpty()) {
      json.set("images", images(images));
    }
    return json;
  }

  /** They are one list, which is long: it is written when it is another one. */
  private static void images(ObjectNode status, NodeStatusView current, NodeStatusView wanted) {
    if (sameImages(current, wanted)) {
      status.remove("images");
    } else if (!status.has("images")) {
      status.putNull("images");
    }
  }

  private static ArrayNode images(List<NodeImageView> images) {
    ArrayNode array = JSON.createArrayNode();
    for (NodeImageView image : images) {
      ObjectNode json = array.addObject();
      image.names().forEach(json.putArray("names")::add);
      if (image.sizeBytes() > 0) {
        json.put("sizeBytes", image.sizeBytes());
      }
    }
    return array;
  }

  /** Of the one handler there is, which has no name. */
  private static void features(ObjectNode json, RuntimeFeatures features) {
    if (features.equals(RuntimeFeatures.NONE)) {
      return;
    }
    json.putObject("features").put("supplementalGroupsPolicy", features.supplementalGroupsPolicy());
    json.putArray("runtimeHandlers")
        .addObject()
        .put("name", "")
        .putObject("features")
        .put("recursiveReadOnlyMounts", features.recursiveReadOnlyMounts())
        .put("userNamespaces", features.userNamespaces());
  }

  private static Instant orNow(@Nullable Instant time, Instant now) {
    return time == null ? now : time;
  }

  private static ArrayNode taints(List<TaintView> taints) {
    ArrayNode array = JSON.createArrayNode();
    for (TaintView taint : taints) {
      ObjectNode json = array.addObject().put("key", taint.key()).put("effect", taint.effect());
      if (!taint.value().isEmpty()) {
        json.put("value", taint.value());
      }
      if (taint.timeAdded() != null) {
        json.put("timeAdded", taint.timeAdded());
      }
    }
    return array;
  }

  private static ObjectNode strings(Map<String, String> values) {
    ObjectNode json = JSON.createObjectNode();
    new TreeMap<>(values).forEach(json::put);
    return json;
  }

  private static Buffer bytes(ObjectNode node) {
    try {
      return Buffer.buffer(JSON.writeValueAsBytes(node));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a JSON tree can always be written", e);
    }
  }
}
