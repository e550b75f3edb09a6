package dev.vertlet.apiserver.patch;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.apiserver.api.ApiException;
import org.jspecify.annotations.Nullable;

/** JSON patch (RFC 6902), with the bounds of the real server. */
final class JsonPatch {
  /** Of one patch. */
  private static final int MOST_OPERATIONS = 10_000;

  /** Bytes that all copies of one patch may add, so that none can be doubled again and again. */
  private static final long MOST_COPIED = 3 << 20;

  /** The limit of JSON readers; writing an object recurses into each level. */
  private static final int MOST_LEVELS = 1_000;

  private long copied;

  private JsonPatch() {}

  static JsonNode apply(ObjectNode target, ArrayNode operations) {
    if (operations.size() > MOST_OPERATIONS) {
      throw new ApiException(
          413,
          "RequestEntityTooLarge",
          "Request entity too large: The allowed maximum operations in a JSON patch is %d, got %d"
              .formatted(MOST_OPERATIONS, operations.size()));
    }
    JsonPatch patch = new JsonPatch();
    JsonNode document = target;
    for (JsonNode operation : operations) {
      document = patch.step(document, operation);
    }
    return document;
  }

  private JsonNode step(JsonNode document, JsonNode operation) {
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
      JsonNode found = existing(document, from(operation));
      copied += found.toString().length();
      if (copied > MOST_COPIED) {
        throw rejected();
      }
      return add(document, path, found.deepCopy());
    } else if (op.equals("move")) {
      JsonPointer from = from(operation);
      JsonNode moved = existing(document, from);
      return add(remove(document, from), path, moved);
    }
    throw rejected();
  }

  /** The document as a whole cannot be put into itself. */
  private static JsonPointer from(JsonNode operation) {
    JsonPointer from = pointer(operation, "from");
    if (from.matches()) {
      throw rejected();
    }
    return from;
  }

  private static JsonNode add(JsonNode document, JsonPointer path, JsonNode value) {
    if (isDeeper(value, MOST_LEVELS - segments(path.toString()))) {
      throw rejected();
    }
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

  private static long segments(String path) {
    return path.chars().filter(c -> c == '/').count();
  }

  private static boolean isDeeper(JsonNode node, long levels) {
    if (levels <= 0) {
      return node.isContainerNode();
    }
    for (JsonNode child : node) {
      if (isDeeper(child, levels - 1)) {
        return true;
      }
    }
    return false;
  }

  private static JsonPointer pointer(JsonNode operation, String field) {
    String path = operation.path(field).asText();
    if (segments(path) > MOST_LEVELS) {
      throw rejected();
    }
    try {
      return JsonPointer.compile(path);
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
