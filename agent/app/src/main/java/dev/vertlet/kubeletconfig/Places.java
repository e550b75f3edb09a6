package dev.vertlet.kubeletconfig;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes values at paths of a document. */
public final class Places {
  private Places() {}

  /** Sets a value and creates missing objects on its path; lists must exist. */
  public static void put(JsonObject document, List<String> path, Object value) {
    JsonObject parent = parent(document, path, true);
    if (parent != null) {
      parent.put(path.get(path.size() - 1), value);
    }
  }

  public static void remove(JsonObject document, List<String> path) {
    JsonObject parent = parent(document, path, false);
    if (parent != null) {
      parent.remove(path.get(path.size() - 1));
    }
  }

  private static @Nullable JsonObject parent(JsonObject document, List<String> path, boolean make) {
    Object at = document;
    for (String token : path.subList(0, path.size() - 1)) {
      Object next = null;
      if (at instanceof JsonObject object) {
        next = object.getValue(token);
        if (next == null && make) {
          next = new JsonObject();
          object.put(token, next);
        }
      } else if (at instanceof JsonArray array) {
        next = item(array, token);
      }
      if (next == null) {
        return null;
      }
      at = next;
    }
    return at instanceof JsonObject object ? object : null;
  }

  /** Returns the item of a list; null when the list is in the place of an object. */
  private static @Nullable Object item(JsonArray list, String token) {
    return token.chars().allMatch(Character::isDigit)
        ? list.getValue(Integer.parseInt(token))
        : null;
  }
}
