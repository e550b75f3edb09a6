package dev.vertlet.apiserver.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.apiserver.api.Json;
import dev.vertlet.apiserver.http.Form.Encoding;
import dev.vertlet.apiserver.http.Form.View;
import dev.vertlet.apiserver.registry.Page;
import dev.vertlet.apiserver.registry.Resource;
import dev.vertlet.apiserver.store.StoredObject;
import io.vertx.core.buffer.Buffer;

/**
 * Whole objects or their metadata as JSON. Bytes of stored objects are spliced in, never made
 * twice.
 */
final class JsonRepresentation implements Representation {
  private static final String PARTIAL_TYPE =
      "\"kind\":\"PartialObjectMetadata\",\"apiVersion\":\"meta.k8s.io/v1\"";

  private final Resource resource;
  private final boolean partial;

  JsonRepresentation(Resource resource, View view) {
    this.resource = resource;
    this.partial = view == View.PARTIAL;
  }

  @Override
  public Encoding encoding() {
    return Encoding.JSON;
  }

  @Override
  public String shareName() {
    return partial ? "json-metadata" : "json";
  }

  @Override
  public Buffer object(StoredObject object) {
    Buffer buffer = Buffer.buffer();
    append(buffer, object, true);
    return buffer;
  }

  @Override
  public Buffer event(String type, StoredObject object) {
    Buffer buffer = Buffer.buffer();
    buffer.appendString("{\"type\":\"").appendString(type).appendString("\",\"object\":");
    append(buffer, object, true);
    return buffer.appendString("}\n");
  }

  /** One line of a watch. */
  static Buffer line(String type, JsonNode object) {
    return Buffer.buffer()
        .appendString("{\"type\":\"")
        .appendString(type)
        .appendString("\",\"object\":")
        .appendBytes(Json.bytes(object))
        .appendString("}\n");
  }

  /** The zero value of the type with a resourceVersion. */
  @Override
  public Buffer bookmark(long revision, boolean endsInitial) {
    ObjectNode bookmark = Json.object();
    if (partial) {
      bookmark.put("kind", "PartialObjectMetadata").put("apiVersion", "meta.k8s.io/v1");
    } else {
      bookmark.put("kind", resource.type().kind()).put("apiVersion", resource.type().apiVersion());
    }
    bookmark.set("metadata", Representation.metadata(revision, endsInitial));
    if (!partial) {
      bookmark.setAll(resource.conversion().encode(resource.strategy().zeroValue()));
    }
    return line("BOOKMARK", bookmark);
  }

  @Override
  public Buffer error(ObjectNode status) {
    return line("ERROR", status);
  }

  @Override
  public Buffer malformed(String type) {
    return Buffer.buffer("{\"type\":\"" + type + "\",\"object\":{\"kind\":\n");
  }

  @Override
  public Buffer list(Page page) {
    Buffer buffer = Buffer.buffer();
    if (partial) {
      buffer.appendString(
          "{\"kind\":\"PartialObjectMetadataList\",\"apiVersion\":\"meta.k8s.io/v1\"");
    } else {
      buffer
          .appendString("{\"kind\":\"" + resource.type().kind() + "List\"")
          .appendString(",\"apiVersion\":\"" + resource.type().apiVersion() + "\"");
    }
    buffer.appendString(",\"metadata\":").appendBytes(Json.bytes(Representation.metadata(page)));
    buffer.appendString(",\"items\":[");
    String separator = "";
    for (StoredObject item : page.items()) {
      buffer.appendString(separator);
      // items of a typed list do not repeat kind and apiVersion, partial ones do: as the real
      // server
      append(buffer, item, partial);
      separator = ",";
    }
    return buffer.appendString("]}");
  }

  private void append(Buffer buffer, StoredObject object, boolean typed) {
    if (partial) {
      buffer
          .appendString("{")
          .appendString(PARTIAL_TYPE)
          .appendString(",\"metadata\":")
          .appendBytes(Json.bytes(object.json().path("metadata")))
          .appendString("}");
      return;
    }
    byte[] bytes =
        resource.conversion().isIdentity()
            ? object.bytes()
            : Json.bytes(resource.conversion().encode(object.json()));
    if (!typed) {
      buffer.appendBytes(bytes);
      return;
    }
    String type =
        "{\"kind\":\""
            + resource.type().kind()
            + "\",\"apiVersion\":\""
            + resource.type().apiVersion()
            + "\",";
    buffer.appendBytes(type.getBytes(UTF_8)).appendBytes(bytes, 1, bytes.length - 1);
  }
}
