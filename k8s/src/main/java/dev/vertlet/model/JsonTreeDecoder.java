package dev.vertlet.model;

import static java.nio.charset.StandardCharsets.US_ASCII;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Decodes a resource type from JSON with the tree model, which has all of an object but, in events,
 * its managed fields. Pods that the kubelet core runs have a decoder of their own.
 *
 * @param <T> the view
 */
public final class JsonTreeDecoder<T extends KubeObject> implements ObjectDecoder<T> {
  /** Names are not interned in the JVM: keys of labels and annotations are unbounded. */
  private static final ObjectMapper JSON =
      new ObjectMapper(
          JsonFactory.builder().disable(JsonFactory.Feature.INTERN_FIELD_NAMES).build());

  /** How the API server begins the event of an object that is new, changed or gone. */
  private static final byte[] ADDED = beginning("ADDED");

  private static final byte[] MODIFIED = beginning("MODIFIED");
  private static final byte[] DELETED = beginning("DELETED");

  private final Function<JsonNode, T> view;
  private final boolean lazy;

  /**
   * Creates a decoder.
   *
   * @param view creates the view of one object; throws {@link DecodeException} for an invalid one
   */
  public JsonTreeDecoder(Function<JsonNode, T> view) {
    this(view, false);
  }

  private JsonTreeDecoder(Function<JsonNode, T> view, boolean lazy) {
    this.view = view;
    this.lazy = lazy;
  }

  /**
   * Creates a decoder for views that keep their objects and may never look at more than {@code
   * metadata}: the rest of an event's object is parsed on the first access to another field, on the
   * thread of that access. If the rest is no JSON, that access throws {@link DecodeException}; the
   * watch goes on and does not deliver the version again, so callers handle it.
   */
  public static <T extends KubeObject> JsonTreeDecoder<T> lazy(Function<JsonNode, T> view) {
    return new JsonTreeDecoder<>(view, true);
  }

  private static byte[] beginning(String type) {
    return "{\"type\":\"%s\",\"object\":{".formatted(type).getBytes(US_ASCII);
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
    byte[] bytes = frame.getBytes();
    int length = ManagedFields.cut(bytes);
    if (begins(bytes, DELETED)) {
      return new WatchEvent.Deleted<>(identity(metadata(bytes, length)));
    }
    if (lazy && (begins(bytes, MODIFIED) || begins(bytes, ADDED))) {
      JsonNode metadata = metadata(bytes, length);
      Supplier<ObjectNode> object = () -> object(bytes, length);
      return new WatchEvent.Upsert<>(
          view.apply(new ObjectNode(JsonNodeFactory.instance, new LazyFields(metadata, object))));
    }
    JsonNode event = tree(bytes, length);
    JsonNode object = event.path("object");
    return switch (event.path("type").asText()) {
      case "ADDED", "MODIFIED" -> new WatchEvent.Upsert<>(view.apply(object));
      case "DELETED" -> new WatchEvent.Deleted<>(identity(object.path("metadata")));
      case "BOOKMARK" -> bookmark(object.path("metadata"));
      case "ERROR" -> failure(object);
      default -> throw new DecodeException("unknown watch event type");
    };
  }

  private static boolean begins(byte[] event, byte[] beginning) {
    return Arrays.mismatch(beginning, event) == beginning.length;
  }

  private static ObjectNode object(byte[] event, int length) {
    if (tree(event, length).path("object") instanceof ObjectNode object) {
      return object;
    }
    throw new DecodeException("an event must have an object");
  }

  /** Metadata of an event's object; nothing behind it is read. */
  private static JsonNode metadata(byte[] event, int length) {
    try (JsonParser parser = JSON.createParser(event, 0, length)) {
      boolean inObject = false;
      while (parser.nextToken() != null) {
        if (parser.currentToken() == JsonToken.FIELD_NAME) {
          String name = parser.currentName();
          parser.nextToken();
          if (inObject && name.equals("metadata")) {
            return JSON.readTree(parser);
          }
          if (!inObject && name.equals("object")) {
            inObject = true;
          } else {
            parser.skipChildren();
          }
        }
      }
    } catch (IOException e) {
      throw new DecodeException("malformed JSON", e);
    }
    return MissingNode.getInstance();
  }

  private static WatchEvent.Identity identity(JsonNode metadata) {
    if (!metadata.path("name").isTextual()) {
      throw new DecodeException("an object must have metadata.name");
    }
    return new WatchEvent.Identity(
        metadata.path("namespace").asText(""),
        metadata.path("name").asText(),
        metadata.path("uid").asText(""),
        metadata.path("resourceVersion").asLong(0));
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
    byte[] bytes = json.getBytes();
    return tree(bytes, bytes.length);
  }

  private static JsonNode tree(byte[] json, int length) {
    try {
      return JSON.readTree(json, 0, length);
    } catch (IOException e) {
      throw new DecodeException("malformed JSON", e);
    }
  }
}
