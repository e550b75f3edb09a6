package dev.vertlet.nodes;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.model.Timestamps;
import dev.vertlet.model.node.NodeAddressView;
import dev.vertlet.model.node.NodeConditionView;
import dev.vertlet.model.node.NodeImageView;
import dev.vertlet.model.node.NodeStatusView;
import dev.vertlet.model.node.RuntimeFeatures;
import dev.vertlet.model.node.TaintView;
import io.vertx.core.buffer.Buffer;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Parts of a Node object as JSON. */
final class NodeJson {
  private static final ObjectMapper JSON = new ObjectMapper();

  private NodeJson() {}

  static ObjectNode status(NodeStatusView status, Instant now) {
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

  /** Writes the features of the only runtime handler, whose name is empty. */
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

  static ArrayNode taints(List<TaintView> taints) {
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

  static ObjectNode strings(Map<String, String> values) {
    ObjectNode json = JSON.createObjectNode();
    new TreeMap<>(values).forEach(json::put);
    return json;
  }

  static Buffer bytes(ObjectNode node) {
    try {
      return Buffer.buffer(JSON.writeValueAsBytes(node));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a JSON tree can always be written", e);
    }
  }
}
