package dev.vertlet.apiserver.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.apiserver.api.Json;
import dev.vertlet.apiserver.http.Form.Encoding;
import dev.vertlet.apiserver.http.Form.View;
import dev.vertlet.apiserver.registry.Page;
import dev.vertlet.apiserver.registry.Resource;
import dev.vertlet.apiserver.schema.ProtobufWriter;
import dev.vertlet.apiserver.schema.Schemas;
import dev.vertlet.apiserver.schema.Shape;
import dev.vertlet.apiserver.store.StoredObject;
import io.vertx.core.buffer.Buffer;

/** Whole objects or their metadata as protobuf; an object's message is made once. */
final class ProtobufRepresentation implements Representation {
  private static final String META = "meta.k8s.io/v1";
  private static final String PARTIAL = "PartialObjectMetadata";
  private static final Shape PARTIAL_SHAPE = shape(META, PARTIAL);
  private static final Shape STATUS_SHAPE = shape("v1", "Status");

  private final Resource resource;
  private final Shape shape;
  private final boolean partial;
  private final String apiVersion;
  private final String kind;

  /**
   * @param shape the type of the resource
   */
  ProtobufRepresentation(Resource resource, Shape shape, View view) {
    this.resource = resource;
    this.shape = shape;
    this.partial = view == View.PARTIAL;
    this.apiVersion = partial ? META : resource.type().apiVersion();
    this.kind = partial ? PARTIAL : resource.type().kind();
  }

  private static Shape shape(String apiVersion, String kind) {
    return Schemas.standard().find(apiVersion, kind).orElseThrow();
  }

  /** A Status as a body of its own. */
  static Buffer status(ObjectNode status) {
    return Buffer.buffer(statusBytes(status));
  }

  private static byte[] statusBytes(ObjectNode status) {
    return ProtobufWriter.envelope("v1", "Status", ProtobufWriter.message(STATUS_SHAPE, status));
  }

  @Override
  public Encoding encoding() {
    return Encoding.PROTOBUF;
  }

  @Override
  public String shareName() {
    return partial ? "protobuf-metadata" : "protobuf";
  }

  @Override
  public Buffer object(StoredObject object) {
    return Buffer.buffer(envelope(message(object)));
  }

  @Override
  public Buffer list(Page page) {
    byte[] list =
        ProtobufWriter.list(
            Representation.metadata(page), page.items().stream().map(this::message).toList());
    return Buffer.buffer(ProtobufWriter.envelope(apiVersion, kind + "List", list));
  }

  @Override
  public Buffer event(String type, StoredObject object) {
    return frame(type, message(object));
  }

  @Override
  public Buffer bookmark(long revision, boolean endsInitial) {
    ObjectNode bookmark = Json.object();
    bookmark.set("metadata", Representation.metadata(revision, endsInitial));
    return frame("BOOKMARK", ProtobufWriter.message(PARTIAL_SHAPE, bookmark));
  }

  @Override
  public Buffer error(ObjectNode status) {
    return Buffer.buffer(ProtobufWriter.frame("ERROR", statusBytes(status)));
  }

  /** A frame whose announced field runs past its end. */
  @Override
  public Buffer malformed(String type) {
    return Buffer.buffer(new byte[] {0, 0, 0, 2, 0x0A, 0x7F});
  }

  private Buffer frame(String type, byte[] message) {
    return Buffer.buffer(ProtobufWriter.frame(type, envelope(message)));
  }

  private byte[] envelope(byte[] message) {
    return ProtobufWriter.envelope(apiVersion, kind, message);
  }

  private byte[] message(StoredObject object) {
    if (partial) {
      return ProtobufWriter.message(PARTIAL_SHAPE, object.json());
    } else if (resource.conversion().isIdentity()) {
      return object.protobuf(json -> ProtobufWriter.message(shape, json));
    }
    return ProtobufWriter.message(shape, resource.conversion().encode(object.json()));
  }
}
