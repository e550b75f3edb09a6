package dev.vertlet.trace;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Reads the fields of one JSON object; a wrong one is named with what is allowed. */
final class RecordFields {
  private final JsonObject json;
  private final String path;

  RecordFields(JsonObject json) {
    this(json, "");
  }

  private RecordFields(JsonObject json, String path) {
    this.json = json;
    this.path = path;
  }

  String text(String key) {
    String value = optionalText(key);
    if (value == null) {
      throw missing(key, "a string");
    }
    return value;
  }

  @Nullable String optionalText(String key) {
    Object value = json.getValue(key);
    if (value == null || value instanceof String) {
      return (String) value;
    }
    throw wrong(key, value, "a string is allowed");
  }

  /** Returns the string, or an empty one if the field is absent. */
  String textOrEmpty(String key) {
    String value = optionalText(key);
    return value == null ? "" : value;
  }

  long number(String key) {
    Long value = optionalNumber(key);
    if (value == null) {
      throw missing(key, "an integer");
    }
    return value;
  }

  long offset(String key) {
    long value = number(key);
    if (value < 0) {
      throw wrong(key, value, "0 or more is allowed");
    }
    return value;
  }

  int count(String key) {
    long value = number(key);
    if (value < 0 || value > Integer.MAX_VALUE) {
      throw wrong(key, value, "0 to " + Integer.MAX_VALUE + " is allowed");
    }
    return (int) value;
  }

  @Nullable Long optionalNumber(String key) {
    Object value = json.getValue(key);
    if (value == null) {
      return null;
    }
    if (value instanceof Integer || value instanceof Long) {
      return ((Number) value).longValue();
    }
    throw wrong(key, value, "an integer is allowed");
  }

  @Nullable Integer optionalInt(String key) {
    Long value = optionalNumber(key);
    if (value == null) {
      return null;
    }
    if (value != value.intValue()) {
      throw wrong(key, value, "a 32-bit integer is allowed");
    }
    return value.intValue();
  }

  /** Returns the flag; an absent one is false. */
  boolean flag(String key) {
    Object value = json.getValue(key);
    if (value == null || value instanceof Boolean) {
      return value != null && (Boolean) value;
    }
    throw wrong(key, value, "true or false is allowed");
  }

  JsonObject object(String key) {
    JsonObject value = optionalObject(key);
    if (value == null) {
      throw missing(key, "an object");
    }
    return value;
  }

  private @Nullable JsonObject optionalObject(String key) {
    Object value = json.getValue(key);
    if (value == null || value instanceof JsonObject) {
      return (JsonObject) value;
    }
    throw wrong(key, value, "an object is allowed");
  }

  RecordFields fields(String key) {
    return new RecordFields(object(key), path + key + ".");
  }

  @Nullable RecordFields optionalFields(String key) {
    JsonObject value = optionalObject(key);
    return value == null ? null : new RecordFields(value, path + key + ".");
  }

  /** Returns the objects of an array; an absent one is empty. */
  List<RecordFields> list(String key) {
    List<RecordFields> list = new ArrayList<>();
    JsonArray array = array(key);
    for (int i = 0; i < array.size(); i++) {
      if (!(array.getValue(i) instanceof JsonObject object)) {
        throw wrong(key + "[" + i + "]", array.getValue(i), "an object is allowed");
      }
      list.add(new RecordFields(object, path + key + "[" + i + "]."));
    }
    return list;
  }

  /** Returns the strings of an array; an absent one is empty. */
  List<String> texts(String key) {
    List<String> list = new ArrayList<>();
    JsonArray array = array(key);
    for (int i = 0; i < array.size(); i++) {
      if (!(array.getValue(i) instanceof String text)) {
        throw wrong(key + "[" + i + "]", array.getValue(i), "a string is allowed");
      }
      list.add(text);
    }
    return list;
  }

  /** Returns an object whose values are strings; an absent one is empty. */
  Map<String, String> textMap(String key) {
    RecordFields fields = optionalFields(key);
    Map<String, String> map = new TreeMap<>();
    if (fields != null) {
      fields.json.fieldNames().forEach(name -> map.put(name, fields.text(name)));
    }
    return map;
  }

  /** Returns an object whose values are arrays of strings; an absent one is empty. */
  Map<String, List<String>> textsMap(String key) {
    RecordFields fields = optionalFields(key);
    Map<String, List<String>> map = new TreeMap<>();
    if (fields != null) {
      fields.json.fieldNames().forEach(name -> map.put(name, fields.texts(name)));
    }
    return map;
  }

  private JsonArray array(String key) {
    Object value = json.getValue(key);
    if (value == null) {
      return new JsonArray();
    }
    if (value instanceof JsonArray array) {
      return array;
    }
    throw wrong(key, value, "an array is allowed");
  }

  private TraceException missing(String key, String what) {
    return new TraceException("field " + path + key + " is missing, " + what + " is required");
  }

  TraceException wrong(String key, @Nullable Object value, String allowed) {
    String shown = String.valueOf(value);
    String cut = shown.length() > 60 ? shown.substring(0, 60) + "…" : shown;
    return new TraceException("field " + path + key + " is " + cut + ", " + allowed);
  }
}
