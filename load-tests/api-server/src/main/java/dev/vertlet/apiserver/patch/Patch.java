package dev.vertlet.apiserver.patch;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.apiserver.api.ApiException;
import dev.vertlet.apiserver.api.Json;

/** A patch body, decoded and ready to be applied. */
@FunctionalInterface
public interface Patch {
  /** Applies the patch to a tree it may change; the result may be that tree or another. */
  JsonNode apply(ObjectNode current);

  /**
   * Decodes a patch.
   *
   * @param contentType media type without parameters
   * @throws ApiException 415 for an unknown type, 400 for a body that is no such patch
   */
  static Patch decode(String contentType, byte[] body) {
    if (contentType.equals("application/json-patch+json")) {
      if (read(body) instanceof ArrayNode operations) {
        return current -> JsonPatch.apply(current, operations);
      }
      throw ApiException.badRequest("error decoding patch: a JSON patch is an array of operations");
    } else if (contentType.equals("application/merge-patch+json")) {
      ObjectNode patch = object(body);
      return current -> MergePatch.apply(current, patch);
    } else if (contentType.equals("application/strategic-merge-patch+json")) {
      ObjectNode patch = object(body);
      return current -> StrategicMergePatch.apply(current, patch);
    } else if (contentType.startsWith("application/apply-patch+")) {
      throw new ApiException(
          415,
          "UnsupportedMediaType",
          "this server has no server-side apply: it does not track field ownership; use client-side apply (kubectl apply"
              + " without --server-side)");
    }
    throw new ApiException(415, "UnsupportedMediaType", "415: Unsupported Media Type");
  }

  private static ObjectNode object(byte[] body) {
    if (read(body) instanceof ObjectNode object) {
      return object;
    }
    throw ApiException.badRequest("error decoding patch: the patch must be a JSON object");
  }

  private static JsonNode read(byte[] body) {
    try {
      return Json.read(body);
    } catch (JsonProcessingException e) {
      throw ApiException.badRequest("error decoding patch: " + e.getOriginalMessage());
    }
  }
}
