package dev.vertlet.model.node;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vertlet.model.DecodeException;
import dev.vertlet.model.JsonTreeDecoder;
import dev.vertlet.model.ListPage;
import dev.vertlet.model.ObjectDecoder;
import dev.vertlet.model.Timestamps;
import dev.vertlet.model.WatchEvent;
import io.vertx.core.buffer.Buffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Decodes nodes from JSON. A node changes every few minutes, so the tree model is fast enough; for
 * pods it is not, hence their own decoder.
 */
public final class NodeDecoder implements ObjectDecoder<NodeView> {
  private final JsonTreeDecoder<NodeView> tree = new JsonTreeDecoder<>(NodeDecoder::view);

  @Override
  public String acceptList(boolean protobuf) {
    return tree.acceptList(protobuf);
  }

  @Override
  public String acceptWatch(boolean protobuf) {
    return tree.acceptWatch(protobuf);
  }

  @Override
  public ListPage<NodeView> decodeList(String contentType, Buffer body) {
    return tree.decodeList(contentType, body);
  }

  @Override
  public WatchEvent<NodeView> decodeEvent(String contentType, Buffer frame) {
    return tree.decodeEvent(contentType, frame);
  }

  /** Decodes one Node object, the answer of a request. */
  public static NodeView decode(Buffer json) {
    return view(JsonTreeDecoder.tree(json));
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
        status(node.path("status")),
        podCidr(node.path("spec")),
        node.path("spec").get("configSource"),
        node.path("status").get("config"));
  }

  private static String podCidr(JsonNode spec) {
    List<String> ranges = new ArrayList<>();
    spec.path("podCIDRs").forEach(range -> ranges.add(range.asText()));
    return ranges.isEmpty() ? spec.path("podCIDR").asText("") : String.join(",", ranges);
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
    List<String> features = new ArrayList<>();
    status.path("declaredFeatures").forEach(feature -> features.add(feature.asText()));
    return new NodeStatusView(
        strings(status.path("capacity")),
        strings(status.path("allocatable")),
        conditions,
        addresses,
        strings(status.path("nodeInfo")),
        status.path("daemonEndpoints").path("kubeletEndpoint").path("Port").asInt(0),
        features,
        runtime(status),
        images(status.path("images")));
  }

  private static @Nullable List<NodeImageView> images(JsonNode json) {
    if (json.isEmpty()) {
      return null;
    }
    List<NodeImageView> images = new ArrayList<>();
    for (JsonNode image : json) {
      List<String> names = new ArrayList<>(2);
      image.path("names").forEach(name -> names.add(name.asText()));
      images.add(new NodeImageView(names, image.path("sizeBytes").asLong(0)));
    }
    return images;
  }

  /** Features of the default runtime handler. */
  private static RuntimeFeatures runtime(JsonNode status) {
    JsonNode handler = status.path("runtimeHandlers").path(0).path("features");
    RuntimeFeatures features =
        new RuntimeFeatures(
            status.path("features").path("supplementalGroupsPolicy").asBoolean(false),
            handler.path("recursiveReadOnlyMounts").asBoolean(false),
            handler.path("userNamespaces").asBoolean(false),
            false);
    return features.equals(RuntimeFeatures.NONE) ? RuntimeFeatures.NONE : features;
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
