package dev.vertlet.apiserver.patch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.apiserver.api.ApiException;
import dev.vertlet.apiserver.api.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Strategic merge patch: merge patch plus lists merged by key, with {@code $patch}, {@code
 * $deleteFromPrimitiveList}, {@code $setElementOrder} and {@code $retainKeys}.
 */
final class StrategicMergePatch {
  private static final String DIRECTIVE = "$patch";
  private static final String DELETE_FROM = "$deleteFromPrimitiveList/";
  private static final String ORDER = "$setElementOrder/";
  private static final String RETAIN = "$retainKeys";

  private StrategicMergePatch() {}

  static ObjectNode apply(ObjectNode target, ObjectNode patch) {
    return merge(target, patch, "");
  }

  /**
   * @param parent name of the field that holds both objects, empty at the root
   */
  private static ObjectNode merge(ObjectNode target, ObjectNode patch, String parent) {
    String directive = patch.path(DIRECTIVE).asText("merge");
    if (directive.equals("replace")) {
      ObjectNode replaced = patch.deepCopy();
      replaced.remove(DIRECTIVE);
      return replaced;
    } else if (directive.equals("delete")) {
      return Json.object();
    } else if (!directive.equals("merge")) {
      throw ApiException.badRequest("unknown $patch type: " + directive);
    }
    if (patch.get(RETAIN) instanceof ArrayNode retained) {
      List<String> keep = new ArrayList<>();
      retained.forEach(name -> keep.add(name.asText()));
      target.retain(keep);
    }
    patch.properties().forEach(field -> mergeField(target, patch, parent, field.getKey()));
    return target;
  }

  private static void mergeField(ObjectNode target, ObjectNode patch, String parent, String field) {
    if (field.startsWith(DELETE_FROM)) {
      String list = field.substring(DELETE_FROM.length());
      if (target.get(list) instanceof ArrayNode array) {
        target.set(list, without(array, patch.path(field)));
      }
    } else if (field.startsWith(ORDER)) {
      String list = field.substring(ORDER.length());
      if (!patch.has(list) && target.get(list) instanceof ArrayNode array) {
        String key = MergeKeys.of(parent, list).orElse("");
        target.set(list, ordered(array, patch.get(field), array, key));
      }
    } else if (!field.startsWith("$")) {
      mergeValue(target, patch, parent, field);
    }
  }

  private static void mergeValue(ObjectNode target, ObjectNode patch, String parent, String field) {
    JsonNode value = patch.path(field);
    @Nullable JsonNode old = target.get(field);
    if (value.isNull()) {
      target.remove(field);
    } else if (value instanceof ObjectNode object) {
      ObjectNode into = old instanceof ObjectNode there ? there : Json.object();
      target.set(field, merge(into, object, field));
    } else if (value instanceof ArrayNode list) {
      Optional<String> key = MergeKeys.of(parent, field);
      if (key.isPresent() && old instanceof ArrayNode live) {
        JsonNode order = patch.path(ORDER + field);
        target.set(field, mergeList(live, list, order, field, key.get()));
      } else {
        target.set(field, key.isPresent() ? withoutDirectives(list) : list.deepCopy());
      }
    } else {
      target.set(field, value.deepCopy());
    }
  }

  /** A merging list that meets no live list is taken over as it is, keys unchecked. */
  private static ArrayNode withoutDirectives(ArrayNode list) {
    ArrayNode items = Json.array();
    for (JsonNode item : list) {
      if (!item.has(DIRECTIVE)) {
        items.add(item.deepCopy());
      }
    }
    return items;
  }

  private static ArrayNode mergeList(
      ArrayNode live, ArrayNode patch, JsonNode order, String field, String key) {
    ArrayNode items = Json.array();
    boolean replace = false;
    ArrayNode merged = live.deepCopy();
    for (JsonNode item : patch) {
      String directive = item.path(DIRECTIVE).asText("");
      if (directive.equals("replace")) {
        replace = true;
      } else if (directive.equals("delete")) {
        int at = indexOf(merged, item, requireKey(item, key));
        if (at >= 0) {
          merged.remove(at);
        }
      } else {
        items.add(item);
      }
    }
    if (replace) {
      return items.deepCopy();
    }
    for (JsonNode item : items) {
      mergeItem(merged, item, field, key);
    }
    return ordered(merged, order.isArray() ? order : items, live, key);
  }

  private static void mergeItem(ArrayNode merged, JsonNode item, String field, String key) {
    int at = indexOf(merged, item, requireKey(item, key));
    if (at < 0) {
      merged.add(
          item instanceof ObjectNode object
              ? merge(Json.object(), object, field)
              : item.deepCopy());
    } else if (merged.get(at) instanceof ObjectNode there && item instanceof ObjectNode object) {
      merged.set(at, merge(there, object, field));
    }
  }

  private static String requireKey(JsonNode item, String key) {
    if (!key.isEmpty() && !item.has(key)) {
      throw new ApiException(
          500, "", "map: %s does not contain declared merge key: %s".formatted(item, key));
    }
    return key;
  }

  /**
   * Patch items in the order of the patch, items only the server has placed by their order on the
   * server: the rule of {@code mergeSortedSlice} in {@code
   * k8s.io/apimachinery/pkg/util/strategicpatch}.
   */
  private static ArrayNode ordered(ArrayNode merged, JsonNode order, ArrayNode live, String key) {
    List<JsonNode> fromPatch = new ArrayList<>();
    for (JsonNode wanted : order) {
      int at = indexOf(merged, wanted, key);
      if (at >= 0) {
        fromPatch.add(merged.get(at));
      }
    }
    List<JsonNode> serverOnly = new ArrayList<>();
    merged.forEach(item -> addUnlessOrdered(serverOnly, item, order, key));
    ArrayNode result = Json.array();
    int left = 0;
    int right = 0;
    while (left < serverOnly.size() || right < fromPatch.size()) {
      boolean takeLeft =
          right == fromPatch.size()
              || (left < serverOnly.size()
                  && precedes(live, serverOnly.get(left), fromPatch.get(right), key));
      result.add(takeLeft ? serverOnly.get(left++) : fromPatch.get(right++));
    }
    return result;
  }

  private static void addUnlessOrdered(
      List<JsonNode> serverOnly, JsonNode item, JsonNode order, String key) {
    if (!(order instanceof ArrayNode list) || indexOf(list, item, key) < 0) {
      serverOnly.add(item);
    }
  }

  private static boolean precedes(ArrayNode live, JsonNode left, JsonNode right, String key) {
    int l = indexOf(live, left, key);
    int r = indexOf(live, right, key);
    return l >= 0 && r >= 0 && l < r;
  }

  private static int indexOf(ArrayNode list, JsonNode item, String key) {
    for (int i = 0; i < list.size(); i++) {
      JsonNode there = list.get(i);
      if (key.isEmpty() ? there.equals(item) : there.path(key).equals(item.path(key))) {
        return i;
      }
    }
    return -1;
  }

  private static ArrayNode without(ArrayNode list, JsonNode unwanted) {
    ArrayNode kept = Json.array();
    for (JsonNode item : list) {
      if (!(unwanted instanceof ArrayNode array) || indexOf(array, item, "") < 0) {
        kept.add(item);
      }
    }
    return kept;
  }
}
