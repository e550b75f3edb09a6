package dev.vertlet.apiserver.schema;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import com.google.protobuf.UnknownFieldSet.Field;
import dev.vertlet.apiserver.api.Json;

/**
 * The OpenAPI 2 document, which describes nothing: what is served is described in OpenAPI 3.
 * Clients ask for it about kinds that are not there, and with it they find out so.
 */
public final class OpenApiV2 {
  /** The path of the document. */
  public static final String PATH = "/openapi/v2";

  /** The form kubectl asks for. */
  public static final String PROTOBUF =
      "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";

  private static final String VERSION = "2.0";
  private static final String TITLE = "Kubernetes";
  private static final String RELEASE = "v1.36.3";

  private OpenApiV2() {}

  /** Whether a client asks for protobuf. */
  public static boolean wantsProtobuf(String accept) {
    return accept.contains("proto-openapi.spec.v2");
  }

  /** The document in JSON. */
  public static ObjectNode json() {
    ObjectNode document = Json.object().put("swagger", VERSION);
    document.putObject("info").put("title", TITLE).put("version", RELEASE);
    document.putObject("paths");
    return document;
  }

  /** The document in protobuf, by {@code openapiv2/OpenAPIv2.proto} of gnostic-models. */
  public static byte[] protobuf() {
    UnknownFieldSet info =
        UnknownFieldSet.newBuilder().addField(1, text(TITLE)).addField(2, text(RELEASE)).build();
    return UnknownFieldSet.newBuilder()
        .addField(1, text(VERSION))
        .addField(2, Field.newBuilder().addLengthDelimited(info.toByteString()).build())
        .addField(8, Field.newBuilder().addLengthDelimited(ByteString.EMPTY).build())
        .build()
        .toByteArray();
  }

  private static Field text(String text) {
    return Field.newBuilder().addLengthDelimited(ByteString.copyFromUtf8(text)).build();
  }
}
