package dev.vertlet.apiserver.patch;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.apiserver.api.ApiException;
import org.jspecify.annotations.Nullable;

/** JSON patch (RFC 6902). */
final class JsonPatch {
  private JsonPatch() {}

  static JsonNode apply(ObjectNode target, ArrayNode operations) {
    JsonNode document = target;
    for (JsonNode operation : operations) {
      document = step(document, operation);
    }
    return document;
  }

  private static JsonNode step(JsonNode document, JsonNode operation) {
    String op = operation.path("op").asText();
    JsonPointer path = pointer(operation, "path");
    if (op.equals("add")) {
      return add(document, path, value(operation));
    } else if (op.equals("replace")) {
      return add(remove(document, path), path, value(operation));
    } else if (op.equals("remove")) {
      return remove(document, path);
    } else if (op.equals("test")) {
      return test(document, path, value(operation));
    } else if (op.equals("copy")) {
      return add(document, path, existing(document, pointer(operation, "from")).deepCopy());
    } else if (op.equals("move")) {
      JsonPointer from = pointer(operation, "from");
      JsonNode moved = existing(document, from);
      return add(remove(document, from), path, moved);
    }
    throw rejected();
  }

  private static JsonNode add(JsonNode document, JsonPointer path, JsonNode value) {
    if (path.matches()) {
      return value;
    }
    JsonNode parent = document.at(path.head());
    JsonPointer last = path.last();
    if (parent instanceof ObjectNode object) {
      object.set(last.getMatchingProperty(), value);
    } else if (parent instanceof ArrayNode array) {
      array.insert(index(array, last, array.size()), value);
    } else {
      throw rejected();
    }
    return document;
  }

  private static JsonNode remove(JsonNode document, JsonPointer path) {
    existing(document, path);
    if (path.matches()) {
      return document; // only ever followed by an add at the root, which replaces it
    }
    JsonNode parent = document.at(path.head());
    if (parent instanceof ObjectNode object) {
      object.remove(path.last().getMatchingProperty());
    } else if (parent instanceof ArrayNode array) {
      array.remove(index(array, path.last(), array.size() - 1));
    }
    return document;
  }

  private static JsonNode test(JsonNode document, JsonPointer path, JsonNode wanted) {
    JsonNode found = document.at(path);
    boolean holds = found.isMissingNode() ? wanted.isNull() : found.equals(wanted);
    if (!holds) {
      throw rejected();
    }
    return document;
  }

  private static int index(ArrayNode array, JsonPointer step, int highest) {
    if (step.getMatchingProperty().equals("-")) {
      return array.size();
    }
    int index = step.getMatchingIndex();
    if (index < 0 || index > highest) {
      throw rejected();
    }
    return index;
  }

  private static JsonNode existing(JsonNode document, JsonPointer path) {
    JsonNode found = document.at(path);
    if (found.isMissingNode()) {
      throw rejected();
    }
    return found;
  }

  private static JsonNode value(JsonNode operation) {
    @Nullable JsonNode value = operation.get("value");
    if (value == null) {
      throw rejected();
    }
    return value.deepCopy();
  }

  private static JsonPointer pointer(JsonNode operation, String field) {
    try {
      return JsonPointer.compile(operation.path(field).asText());
    } catch (IllegalArgumentException e) {
      throw rejected();
    }
  }

  /** The real server does not say more than this either. */
  private static ApiException rejected() {
    return new ApiException(
        422, "Invalid", "the server rejected our request due to an error in our request");
  }
}
