package dev.vertlet.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Decodes a resource type from JSON with the tree model, for objects that change every few seconds
 * at most. Pods have a decoder of their own.
 *
 * @param <T> the view
 */
public final class JsonTreeDecoder<T extends KubeObject> implements ObjectDecoder<T> {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Function<JsonNode, T> view;

  /**
   * Creates a decoder.
   *
   * @param view creates the view of one object; throws {@link DecodeException} for an invalid one
   */
  public JsonTreeDecoder(Function<JsonNode, T> view) {
    this.view = view;
  }

  @Override
  public String acceptList(boolean protobuf) {
    return "application/json";
  }

  @Override
  public String acceptWatch(boolean protobuf) {
    return "application/json;stream=watch,application/json";
  }

  @Override
  public ListPage<T> decodeList(String contentType, Buffer body) {
    JsonNode list = tree(body);
    if (!list.path("items").isArray()) {
      throw new DecodeException("a list must have items");
    }
    List<T> objects = new ArrayList<>();
    list.path("items").forEach(item -> objects.add(view.apply(item)));
    JsonNode metadata = list.path("metadata");
    String next = metadata.path("continue").asText("");
    return new ListPage<>(
        objects, metadata.path("resourceVersion").asLong(0), next.isEmpty() ? null : next);
  }

  @Override
  public WatchEvent<T> decodeEvent(String contentType, Buffer frame) {
    JsonNode event = tree(frame);
    JsonNode object = event.path("object");
    return switch (event.path("type").asText()) {
      case "ADDED", "MODIFIED" -> new WatchEvent.Upsert<>(view.apply(object));
      case "DELETED" -> WatchEvent.Deleted.of(view.apply(object));
      case "BOOKMARK" -> bookmark(object.path("metadata"));
      case "ERROR" -> failure(object);
      default -> throw new DecodeException("unknown watch event type");
    };
  }

  private static <T extends KubeObject> WatchEvent<T> bookmark(JsonNode metadata) {
    boolean initialEnd =
        metadata.path("annotations").path("k8s.io/initial-events-end").asText().equals("true");
    return new WatchEvent.Bookmark<>(metadata.path("resourceVersion").asLong(), initialEnd);
  }

  private static <T extends KubeObject> WatchEvent<T> failure(JsonNode status) {
    int retryAfter = status.path("details").path("retryAfterSeconds").asInt(0);
    return new WatchEvent.Failure<>(
        status.path("code").asInt(),
        status.path("reason").asText(),
        status.path("message").asText(),
        retryAfter > 0 ? Duration.ofSeconds(retryAfter) : null);
  }

  /** Decodes one object; throws {@link DecodeException} if it is no JSON. */
  public static JsonNode tree(Buffer json) {
    try {
      return JSON.readTree(json.getBytes());
    } catch (IOException e) {
      throw new DecodeException("malformed JSON", e);
    }
  }
}
