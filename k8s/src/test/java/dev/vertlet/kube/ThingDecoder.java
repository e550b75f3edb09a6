package dev.vertlet.kube;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.vertlet.model.DecodeException;
import dev.vertlet.model.ListPage;
import dev.vertlet.model.ObjectDecoder;
import dev.vertlet.model.WatchEvent;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Decodes the metadata of any object, from JSON. */
public class ThingDecoder implements ObjectDecoder<Thing> {
  private static final ObjectMapper JSON = new ObjectMapper();

  @Override
  public String acceptList(boolean protobuf) {
    return MediaType.JSON;
  }

  @Override
  public String acceptWatch(boolean protobuf) {
    return MediaType.JSON;
  }

  @Override
  public ListPage<Thing> decodeList(String contentType, Buffer body) {
    JsonNode list = read(body);
    List<Thing> items = new ArrayList<>();
    list.path("items").forEach(item -> items.add(thing(item)));
    String more = list.path("metadata").path("continue").asText("");
    return new ListPage<>(
        items,
        list.path("metadata").path("resourceVersion").asLong(),
        more.isEmpty() ? null : more);
  }

  @Override
  public WatchEvent<Thing> decodeEvent(String contentType, Buffer frame) {
    JsonNode event = read(frame);
    JsonNode object = event.path("object");
    return switch (event.path("type").asText()) {
      case "ADDED", "MODIFIED" -> new WatchEvent.Upsert<>(thing(object));
      case "DELETED" -> WatchEvent.Deleted.of(thing(object));
      case "BOOKMARK" ->
          new WatchEvent.Bookmark<>(
              thing(object).resourceVersion(),
              object.path("metadata").path("annotations").has("k8s.io/initial-events-end"));
      case "ERROR" ->
          new WatchEvent.Failure<>(
              object.path("code").asInt(),
              object.path("reason").asText(),
              object.path("message").asText(),
              null);
      default -> throw new DecodeException("unknown event type");
    };
  }

  private static Thing thing(JsonNode object) {
    JsonNode metadata = object.path("metadata");
    return new Thing(
        metadata.path("namespace").asText(),
        metadata.path("name").asText(),
        metadata.path("uid").asText(),
        metadata.path("resourceVersion").asLong());
  }

  private static JsonNode read(Buffer bytes) {
    try {
      return JSON.readTree(bytes.getBytes());
    } catch (IOException e) {
      throw new DecodeException("not JSON", e);
    }
  }
}
