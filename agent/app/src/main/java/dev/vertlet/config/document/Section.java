package dev.vertlet.config.document;

import dev.vertlet.problem.Pointers;
import dev.vertlet.problem.Problem;
import dev.vertlet.problem.Problems;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Reads one object of a document that passed the schema: types are right and keys are known. */
public final class Section {
  private final JsonObject json;
  private final String pointer;

  public Section(JsonObject json, String pointer) {
    this.json = json;
    this.pointer = pointer;
  }

  /** Returns the JSON pointer of the object itself. */
  public String place() {
    return pointer;
  }

  /** Returns the object without the keys whose pointer matches. */
  public Section without(Predicate<String> pointer) {
    JsonObject rest = new JsonObject();
    for (Map.Entry<String, Object> field : json) {
      if (!pointer.test(this.pointer + Pointers.of(field.getKey()))) {
        rest.put(field.getKey(), field.getValue());
      }
    }
    return new Section(rest, this.pointer);
  }

  /** Returns the JSON pointer of one of its keys. */
  public String pointer(String key) {
    return pointer + "/" + key;
  }

  public boolean has(String key) {
    return json.containsKey(key);
  }

  public String text(String key, String fallback) {
    return json.getString(key, fallback);
  }

  /** Returns whether the key is present and true. */
  public boolean flag(String key) {
    return flag(key, false);
  }

  public boolean flag(String key, boolean fallback) {
    return json.getBoolean(key, fallback);
  }

  public int number(String key, int fallback) {
    return json.getNumber(key, fallback).intValue();
  }

  public long number(String key, long fallback) {
    return json.getNumber(key, fallback).longValue();
  }

  /**
   * Reads a duration.
   *
   * @throws ConfigException when the duration is too long to represent
   */
  public Duration duration(String key, Duration fallback) {
    String text = json.getString(key);
    if (text == null) {
      return fallback;
    }
    Problems problems = new Problems(pointer);
    Duration duration = problems.duration("/" + key, text).orElse(fallback);
    problems.done(ConfigException::new);
    return duration;
  }

  public double number(String key, double fallback) {
    return json.getNumber(key, fallback).doubleValue();
  }

  /**
   * Reads a path.
   *
   * @throws ConfigException when the path is invalid on this machine
   */
  public Path path(String key, String fallback) {
    String text = text(key, fallback);
    return pathAt(pointer(key), text);
  }

  public static Path pathAt(String pointer, String text) {
    try {
      return Path.of(text);
    } catch (InvalidPathException e) {
      throw new ConfigException(
          Problem.of(
              pointer,
              text,
              "must be a path of characters that file names of this machine have: "
                  + e.getReason().toLowerCase(Locale.ROOT)));
    }
  }

  /** Returns a text or number as text; null when the key is absent. */
  public @Nullable String scalar(String key) {
    Object value = json.getValue(key);
    return value == null ? null : value.toString();
  }

  /** Reads a constant; the schema spells constants in lower case, with - for _. */
  public <E extends Enum<E>> E word(String key, E fallback) {
    String word = json.getString(key);
    return word == null
        ? fallback
        : Enum.valueOf(
            fallback.getDeclaringClass(), word.toUpperCase(Locale.ROOT).replace('-', '_'));
  }

  public Section section(String key) {
    return new Section(json.getJsonObject(key, new JsonObject()), pointer + "/" + key);
  }

  /** Reads texts or numbers by key. */
  public Map<String, String> texts(String key) {
    Map<String, String> texts = new LinkedHashMap<>();
    for (Map.Entry<String, Object> field : json.getJsonObject(key, new JsonObject())) {
      texts.put(field.getKey(), String.valueOf(field.getValue()));
    }
    return texts;
  }

  public JsonObject object() {
    return json;
  }

  /** Returns the object under the key; an empty one when the key is absent. */
  public JsonObject objectOf(String key) {
    return json.getJsonObject(key, new JsonObject());
  }

  /** Returns the objects by key; the schema has reported values of other types. */
  public Map<String, JsonObject> objects(String key) {
    Map<String, JsonObject> objects = new LinkedHashMap<>();
    for (Map.Entry<String, Object> field : json.getJsonObject(key, new JsonObject())) {
      if (field.getValue() instanceof JsonObject object) {
        objects.put(field.getKey(), object);
      }
    }
    return objects;
  }

  public List<String> list(String key) {
    List<String> items = new ArrayList<>();
    for (Object item : json.getJsonArray(key, new JsonArray())) {
      items.add(String.valueOf(item));
    }
    return items;
  }

  /** Returns the objects in a list; the schema has reported values of other types. */
  public List<Section> items(String key) {
    JsonArray array = json.getJsonArray(key, new JsonArray());
    List<Section> items = new ArrayList<>();
    for (int i = 0; i < array.size(); i++) {
      if (array.getValue(i) instanceof JsonObject object) {
        items.add(new Section(object, pointer + "/" + key + "/" + i));
      }
    }
    return items;
  }

  /** Reads each object of a list with its JSON pointer. */
  public <T> List<T> sections(String key, BiFunction<Section, String, T> read) {
    List<T> items = new ArrayList<>();
    for (Section item : items(key)) {
      items.add(read.apply(item, item.pointer));
    }
    return items;
  }
}
