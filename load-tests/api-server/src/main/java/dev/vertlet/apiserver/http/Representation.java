package dev.vertlet.apiserver.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.apiserver.api.Json;
import dev.vertlet.apiserver.fault.ApiRequest;
import dev.vertlet.apiserver.http.Form.Encoding;
import dev.vertlet.apiserver.http.Form.View;
import dev.vertlet.apiserver.registry.Page;
import dev.vertlet.apiserver.registry.Resource;
import dev.vertlet.apiserver.schema.Schemas;
import dev.vertlet.apiserver.store.StoredObject;
import io.vertx.core.buffer.Buffer;
import java.time.Clock;

/** Puts objects of one resource into bytes, in the form one client asked for. */
interface Representation {
  /**
   * What the Accept header of a request asks for.
   *
   * @param clock the time that ages in tables count from
   * @throws dev.vertlet.apiserver.api.ApiException 406 when it cannot be given
   */
  static Representation negotiate(
      ApiRequest request, Resource resource, Form.Shape shape, Clock clock) {
    var type = Schemas.standard().find(resource.type().apiVersion(), resource.type().kind());
    Form form = Form.negotiate(request.accept(), shape, type.isPresent());
    if (form.view() == View.TABLE) {
      return TableRepresentation.of(resource, request.parameter("includeObject"), clock);
    } else if (form.encoding() == Encoding.PROTOBUF) {
      return new ProtobufRepresentation(resource, type.orElseThrow(), form.view());
    }
    return new JsonRepresentation(resource, form.view());
  }

  /** The bytes are in this encoding. */
  Encoding encoding();

  /** One object with its kind and apiVersion. */
  Buffer object(StoredObject object);

  Buffer list(Page page);

  /** One event of a watch about an object. */
  Buffer event(String type, StoredObject object);

  /** Tells how far a watch has come; {@code endsInitial} marks the end of the initial state. */
  Buffer bookmark(long revision, boolean endsInitial);

  /** The last event of a watch that fails. */
  Buffer error(ObjectNode status);

  /** An event no client can decode. */
  Buffer malformed(String type);

  /**
   * Under which name watchers share the bytes of an event; empty when they must not, because the
   * bytes depend on more than the event.
   */
  String shareName();

  /** The metadata of a list. */
  static ObjectNode metadata(Page page) {
    ObjectNode metadata = Json.object();
    if (page.revision() > 0) { // what was never stored has none
      metadata.put("resourceVersion", Long.toString(page.revision()));
    }
    if (!page.continueToken().isEmpty()) {
      metadata.put("continue", page.continueToken());
      if (page.remaining() > 0) {
        metadata.put("remainingItemCount", page.remaining());
      }
    }
    return metadata;
  }

  /** The metadata of a bookmark. */
  static ObjectNode metadata(long revision, boolean endsInitial) {
    ObjectNode metadata = Json.object().put("resourceVersion", Long.toString(revision));
    if (endsInitial) {
      metadata.putObject("annotations").put("k8s.io/initial-events-end", "true");
    }
    return metadata;
  }
}
