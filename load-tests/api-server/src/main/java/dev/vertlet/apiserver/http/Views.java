package dev.vertlet.apiserver.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.apiserver.api.Json;
import dev.vertlet.apiserver.registry.Page;
import dev.vertlet.apiserver.registry.Resource;
import dev.vertlet.apiserver.store.StoredObject;
import io.vertx.core.buffer.Buffer;

/**
 * Wire forms of objects, lists and watch events. Bytes of stored objects are spliced in, never made
 * twice.
 */
final class Views {
  private static final String PARTIAL_TYPE =
      "\"kind\":\"PartialObjectMetadata\",\"apiVersion\":\"meta.k8s.io/v1\"";

  private Views() {}

  static Buffer object(Resource resource, StoredObject object, Form form) {
    Buffer buffer = Buffer.buffer();
    append(buffer, resource, object, form, true);
    return buffer;
  }

  /** One line of a watch. */
  static Buffer event(String type, Resource resource, StoredObject object, Form form) {
    Buffer buffer = Buffer.buffer();
    buffer.appendString("{\"type\":\"").appendString(type).appendString("\",\"object\":");
    append(buffer, resource, object, form, true);
    return buffer.appendString("}\n");
  }

  /** One line of a watch about something that is not stored: a bookmark or a Status. */
  static Buffer event(String type, ObjectNode object) {
    return Buffer.buffer()
        .appendString("{\"type\":\"")
        .appendString(type)
        .appendString("\",\"object\":")
        .appendBytes(Json.bytes(object))
        .appendString("}\n");
  }

  /** A bookmark: the zero value of the type with a resourceVersion. */
  static ObjectNode bookmark(Resource resource, Form form, long revision, boolean endsInitial) {
    ObjectNode bookmark = Json.object();
    if (form == Form.PARTIAL) {
      bookmark.put("kind", "PartialObjectMetadata").put("apiVersion", "meta.k8s.io/v1");
    } else {
      bookmark.put("kind", resource.type().kind()).put("apiVersion", resource.type().apiVersion());
    }
    ObjectNode metadata = bookmark.putObject("metadata");
    metadata.put("resourceVersion", Long.toString(revision));
    if (endsInitial) {
      metadata.putObject("annotations").put("k8s.io/initial-events-end", "true");
    }
    if (form == Form.FULL) {
      bookmark.setAll(resource.conversion().encode(resource.strategy().zeroValue()));
    }
    return bookmark;
  }

  static Buffer list(Resource resource, Page page, Form form) {
    ObjectNode metadata = Json.object().put("resourceVersion", Long.toString(page.revision()));
    if (!page.continueToken().isEmpty()) {
      metadata.put("continue", page.continueToken());
      if (page.remaining() > 0) {
        metadata.put("remainingItemCount", page.remaining());
      }
    }
    Buffer buffer = Buffer.buffer();
    if (form == Form.PARTIAL) {
      buffer.appendString(
          "{\"kind\":\"PartialObjectMetadataList\",\"apiVersion\":\"meta.k8s.io/v1\"");
    } else {
      buffer
          .appendString("{\"kind\":\"" + resource.type().kind() + "List\"")
          .appendString(",\"apiVersion\":\"" + resource.type().apiVersion() + "\"");
    }
    buffer.appendString(",\"metadata\":").appendBytes(Json.bytes(metadata));
    buffer.appendString(",\"items\":[");
    String separator = "";
    for (StoredObject item : page.items()) {
      buffer.appendString(separator);
      // items of a typed list do not repeat kind and apiVersion, partial ones do: as the real
      // server
      append(buffer, resource, item, form, form == Form.PARTIAL);
      separator = ",";
    }
    return buffer.appendString("]}");
  }

  private static void append(
      Buffer buffer, Resource resource, StoredObject object, Form form, boolean typed) {
    if (form == Form.PARTIAL) {
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
