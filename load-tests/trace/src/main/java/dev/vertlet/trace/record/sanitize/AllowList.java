package dev.vertlet.trace.record.sanitize;

import com.fasterxml.jackson.databind.JsonNode;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Fields of an object that may enter a trace, and how each is anonymized. Everything else is left
 * out, unknown fields too. Immutable once made.
 */
final class AllowList {
  /** How a value is copied. */
  private enum Copy {
    /** A field of an API's fixed vocabulary, a number or a truth value: as it is. */
    PLAIN,
    /** A text that someone chose: anonymized as a name. */
    NAME,
    /** A key of a label or a taint. */
    KEY,
    /** A map of keys to values of labels. */
    LABELS,
    /** A map of resource names to quantities. */
    QUANTITIES
  }

  private final Map<String, AllowList> fields = new LinkedHashMap<>();
  private @Nullable Copy copy;

  private AllowList() {}

  /**
   * Makes a list.
   *
   * @param paths fields separated by slashes, {@code *} for each element of an array, and after a
   *     colon {@code name}, {@code key}, {@code labels} or {@code quantities} for what is not plain
   */
  static AllowList of(String... paths) {
    AllowList list = new AllowList();
    for (String path : paths) {
      int colon = path.indexOf(':');
      AllowList leaf = list.at(colon < 0 ? path : path.substring(0, colon));
      leaf.copy =
          colon < 0 ? Copy.PLAIN : Copy.valueOf(path.substring(colon + 1).toUpperCase(Locale.ROOT));
    }
    return list;
  }

  /** Returns this list with another below some path. */
  AllowList with(String path, AllowList below) {
    AllowList merged = copyOf(this);
    AllowList place = merged.at(path);
    place.copy = below.copy;
    place.fields.putAll(below.fields);
    return merged;
  }

  private static AllowList copyOf(AllowList list) {
    AllowList made = new AllowList();
    made.copy = list.copy;
    list.fields.forEach((name, below) -> made.fields.put(name, copyOf(below)));
    return made;
  }

  private AllowList at(String path) {
    AllowList place = this;
    for (String name : path.split("/", -1)) {
      place = place.fields.computeIfAbsent(name, absent -> new AllowList());
    }
    return place;
  }

  /** Copies the allowed fields of an object. */
  JsonObject filter(JsonNode object, Anonymizer names) {
    JsonObject copy = new JsonObject();
    fields.forEach(
        (name, below) -> {
          JsonNode value = object.get(name);
          Object allowed = value == null ? null : below.value(value, names);
          if (allowed != null) {
            copy.put(name, allowed);
          }
        });
    return copy;
  }

  private @Nullable Object value(JsonNode value, Anonymizer names) {
    if (copy != null) {
      return leaf(copy, value, names);
    }
    AllowList element = fields.get("*");
    if (element != null && value.isArray()) {
      JsonArray array = new JsonArray();
      for (JsonNode each : value) {
        Object allowed = element.value(each, names);
        if (allowed != null) {
          array.add(allowed);
        }
      }
      return array;
    }
    return value.isObject() ? filter(value, names) : null;
  }

  private static @Nullable Object leaf(Copy copy, JsonNode value, Anonymizer names) {
    return switch (copy) {
      case PLAIN -> scalar(value);
      case NAME -> value.isTextual() ? names.name(value.textValue()) : null;
      case KEY -> value.isTextual() ? names.key(value.textValue()) : null;
      case LABELS -> labels(value, names);
      case QUANTITIES -> quantities(value);
    };
  }

  private static @Nullable Object scalar(JsonNode value) {
    if (value.isTextual()) {
      return value.textValue();
    }
    if (value.isBoolean()) {
      return value.booleanValue();
    }
    return value.isIntegralNumber() ? (Object) value.longValue() : null;
  }

  private static JsonObject labels(JsonNode value, Anonymizer names) {
    JsonObject labels = new JsonObject();
    value
        .properties()
        .forEach(
            label -> {
              if (label.getValue().isTextual()) {
                labels.put(names.key(label.getKey()), names.name(label.getValue().textValue()));
              }
            });
    return labels;
  }

  private static JsonObject quantities(JsonNode value) {
    JsonObject quantities = new JsonObject();
    value
        .properties()
        .forEach(
            quantity -> {
              if (quantity.getValue().isValueNode()) {
                quantities.put(quantity.getKey(), quantity.getValue().asText());
              }
            });
    return quantities;
  }
}
