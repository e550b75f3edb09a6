package dev.vertlet.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Decodes nodes from JSON. A node changes every few minutes, so the plain tree model is fast
 * enough; pods have a decoder that is not.
 */
public final class NodeDecoder implements ObjectDecoder<NodeView> {
  private static final ObjectMapper JSON = new ObjectMapper();

  @Override
  public String acceptList(boolean protobuf) {
    return "application/json";
  }

  @Override
  public String acceptWatch(boolean protobuf) {
    return "application/json;stream=watch,application/json";
  }

  @Override
  public ListPage<NodeView> decodeList(String contentType, Buffer body) {
    JsonNode list = tree(body);
    if (!list.path("items").isArray()) {
      throw new DecodeException("a NodeList must have items");
    }
    List<NodeView> nodes = new ArrayList<>();
    list.path("items").forEach(item -> nodes.add(view(item)));
    JsonNode metadata = list.path("metadata");
    String next = metadata.path("continue").asText("");
    return new ListPage<>(
        nodes, metadata.path("resourceVersion").asLong(0), next.isEmpty() ? null : next);
  }

  @Override
  public WatchEvent<NodeView> decodeEvent(String contentType, Buffer frame) {
    JsonNode event = tree(frame);
    JsonNode object = event.path("object");
    switch (event.path("type").asText()) {
      case "ADDED", "MODIFIED":
        return new WatchEvent.Upsert<>(view(object));
      case "DELETED":
        return new WatchEvent.Deleted<>(view(object));
      case "BOOKMARK":
        JsonNode metadata = object.path("metadata");
        boolean initialEnd =
            metadata.path("annotations").path("k8s.io/initial-events-end").asText().equals("true");
        return new WatchEvent.Bookmark<>(metadata.path("resourceVersion").asLong(), initialEnd);
      case "ERROR":
        int retryAfter = object.path("details").path("retryAfterSeconds").asInt(0);
        return new WatchEvent.Failure<>(
            object.path("code").asInt(),
            object.path("reason").asText(),
            object.path("message").asText(),
            retryAfter > 0 ? Duration.ofSeconds(retryAfter) : null);
      default:
        throw new DecodeException("unknown watch event type");
    }
  }

  /** One Node object, as a request answers it. */
  public static NodeView decode(Buffer json) {
    return view(tree(json));
  }

  private static JsonNode tree(Buffer json) {
    try {
      return JSON.readTree(json.getBytes());
    } catch (IOException e) {
      throw new DecodeException("malformed JSON for a node", e);
    }
  }

  private static NodeView view(JsonNode node) {
    JsonNode metadata = node.path("metadata");
    if (!metadata.path("name").isTextual()) {
      throw new DecodeException("a Node must have metadata.name");
    }
    return new NodeView(
        metadata.path("name").asText(),
        metadata.path("uid").asText(),
        metadata.path("resourceVersion").asLong(0),
        strings(metadata.path("labels")),
        strings(metadata.path("annotations")),
        taints(node.path("spec").path("taints")),
        metadata.hasNonNull("deletionTimestamp"),
        status(node.path("status")));
  }

  private static NodeStatusView status(JsonNode status) {
    List<NodeConditionView> conditions = new ArrayList<>();
    status.path("conditions").forEach(c -> conditions.add(condition(c)));
    List<NodeAddressView> addresses = new ArrayList<>();
    status
        .path("addresses")
        .forEach(
            a ->
                addresses.add(
                    new NodeAddressView(a.path("type").asText(), a.path("address").asText())));
    return new NodeStatusView(
        strings(status.path("capacity")),
        strings(status.path("allocatable")),
        conditions,
        addresses,
        strings(status.path("nodeInfo")),
        status.path("daemonEndpoints").path("kubeletEndpoint").path("Port").asInt(0));
  }

  private static NodeConditionView condition(JsonNode json) {
    return new NodeConditionView(
        json.path("type").asText(),
        json.path("status").asText(),
        json.path("reason").asText(),
        json.path("message").asText(),
        time(json.path("lastHeartbeatTime")),
        time(json.path("lastTransitionTime")));
  }

  private static @Nullable Instant time(JsonNode json) {
    return json.isTextual() ? Timestamps.parse(json.asText()) : null;
  }

  private static List<TaintView> taints(JsonNode json) {
    List<TaintView> taints = new ArrayList<>();
    json.forEach(
        t ->
            taints.add(
                new TaintView(
                    t.path("key").asText(),
                    t.path("value").asText(),
                    t.path("effect").asText(),
                    t.hasNonNull("timeAdded") ? t.path("timeAdded").asText() : null)));
    return taints;
  }

  private static Map<String, String> strings(JsonNode json) {
    Map<String, String> values = new HashMap<>();
    json.fields()
        .forEachRemaining(
            field -> {
              if (field.getValue().isValueNode() && !field.getValue().isNull()) {
                values.put(field.getKey(), field.getValue().asText());
              }
            });
    return values;
  }
}
