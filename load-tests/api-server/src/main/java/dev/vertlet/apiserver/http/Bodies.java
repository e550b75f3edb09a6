package dev.vertlet.apiserver.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.apiserver.api.ApiException;
import dev.vertlet.apiserver.api.Json;
import dev.vertlet.apiserver.api.ResourceType;
import dev.vertlet.apiserver.fault.ApiRequest;
import dev.vertlet.apiserver.http.Form.Encoding;
import dev.vertlet.apiserver.schema.ProtobufReader;
import dev.vertlet.apiserver.schema.ProtobufReader.Envelope;
import dev.vertlet.apiserver.schema.Schemas;
import dev.vertlet.apiserver.schema.Shape;
import java.io.IOException;
import java.util.Optional;

/** Reads request bodies; refuses them with the words of the real server. */
final class Bodies {
  private Bodies() {}

  /** An object of this type; kind and apiVersion may be left out, but not contradict the URL. */
  static ObjectNode typed(ApiRequest request, ResourceType type) {
    ObjectNode body = object(request, type.apiVersion(), type.kind());
    String kind = body.path("kind").asText(type.kind());
    String version = body.path("apiVersion").asText(type.apiVersion());
    if (!kind.equals(type.kind()) || !version.equals(type.apiVersion())) {
      throw ApiException.badRequest(
          "%s in version \"%s\" cannot be handled as a %s"
              .formatted(kind, version.substring(version.indexOf('/') + 1), type.kind()));
    }
    return body;
  }

  /** An object that should be of this kind. */
  static ObjectNode object(ApiRequest request, String apiVersion, String kind) {
    String contentType = request.contentType();
    if (contentType.equals(Encoding.PROTOBUF.mediaType())) {
      return protobuf(request, apiVersion, kind);
    } else if (!contentType.isEmpty() && !contentType.equals(Encoding.JSON.mediaType())) {
      throw new ApiException(
          415,
          "UnsupportedMediaType",
          "the body of the request was in an unknown format - accepted media types include: %s, %s"
              .formatted(Encoding.JSON.mediaType(), Encoding.PROTOBUF.mediaType()));
    }
    try {
      JsonNode body = Json.read(request.body().getBytes());
      if (body instanceof ObjectNode object) {
        return object;
      }
      throw ApiException.badRequest(unrecognized(kind, "the body is not a JSON object"));
    } catch (JsonProcessingException e) {
      throw ApiException.badRequest(
          unrecognized(kind, "json parse error: " + e.getOriginalMessage()));
    }
  }

  private static ObjectNode protobuf(ApiRequest request, String apiVersion, String kind) {
    try {
      Envelope envelope = ProtobufReader.open(request.body().getBytes());
      Optional<Shape> shape = Schemas.standard().find(apiVersion, kind);
      ObjectNode body =
          shape.isPresent() && envelope.kind().equals(kind)
              ? ProtobufReader.message(shape.get(), envelope.message())
              : Json.object();
      return body.put("kind", envelope.kind()).put("apiVersion", envelope.apiVersion());
    } catch (IOException e) {
      throw ApiException.badRequest(unrecognized(kind, String.valueOf(e.getMessage())));
    }
  }

  private static String unrecognized(String kind, String why) {
    return "the object provided is unrecognized (must be of type %s): couldn't get version/kind; %s"
        .formatted(kind, why);
  }
}
