package dev.vertlet.config;

import dev.vertlet.config.document.ConfigSchema;
import dev.vertlet.config.document.JsonText;
import dev.vertlet.problem.Pointers;
import dev.vertlet.problem.Problem;
import dev.vertlet.problem.Problems;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Applies settings to a document, the later over the earlier, and records who set which value. */
final class Overlay {
  private final ConfigSchema schema;
  private final JsonObject document;
  private final Problems problems;
  private final Map<String, Origin> origins = new HashMap<>();

  /** Source of a value; later constants override earlier ones. */
  enum Level {
    FILE,
    ENVIRONMENT,
    FLAG
  }

  private record Origin(String name, Level level) {}

  Overlay(ConfigSchema schema, JsonObject document, Problems problems) {
    this.schema = schema;
    this.document = document;
    this.problems = problems;
  }

  /** Returns the document with the settings so far. */
  JsonObject document() {
    return document;
  }

  /** Returns the highest level among the values at this place and below it. */
  Level level(String pointer) {
    return highest(pointer).level();
  }

  /** Returns the flag or variable of the highest level here or below; empty for the file. */
  String origin(String pointer) {
    return highest(pointer).name();
  }

  private Origin highest(String pointer) {
    return origins.entrySet().stream()
        .filter(origin -> touches(origin.getKey(), pointer))
        .map(Map.Entry::getValue)
        .max(Comparator.comparing(Origin::level))
        .orElse(new Origin("", Level.FILE));
  }

  private static boolean touches(String set, String pointer) {
    return set.equals(pointer) || set.startsWith(pointer + "/") || pointer.startsWith(set + "/");
  }

  void apply(ConfigOverride given, Level level) {
    List<String> path = schema.keys(given.path());
    ConfigOverride setting = new ConfigOverride(path, given.text(), given.origin());
    Object place = document;
    for (int i = 0; i < path.size() - 1; i++) {
      place = step(place, path.get(i), path.get(i + 1));
      if (place == null) {
        refuse(setting, i);
        return;
      }
    }
    if (put(place, path.get(path.size() - 1), JsonText.orText(schema.at(path), setting.text()))) {
      origins.put(Pointers.of(path), new Origin(setting.origin(), level));
    } else {
      refuse(setting, path.size() - 1);
    }
  }

  /** The problem with the name of the flag or variable its value came from. */
  Problem attribute(Problem problem) {
    String pointer = problem.pointer();
    while (!pointer.isEmpty()) {
      Origin origin = origins.get(pointer);
      if (origin != null) {
        return problem.from(origin.name());
      }
      pointer = pointer.substring(0, Math.max(0, pointer.lastIndexOf('/')));
    }
    return problem;
  }

  /** Sets a key. JSON null removes it, so that its default applies. */
  private static boolean put(Object place, String key, @Nullable Object value) {
    if (place instanceof JsonObject object) {
      if (value == null) {
        object.remove(key);
      } else {
        object.put(key, value);
      }
      return true;
    }
    if (!(place instanceof JsonArray array) || value == null) {
      return false;
    }
    int index = Pointers.index(key);
    if (index < 0 || index > array.size()) {
      return false;
    }
    if (index == array.size()) {
      array.add(value);
    } else {
      array.set(index, value);
    }
    return true;
  }

  /** Returns the object or list under this key and creates it when it is absent. */
  private static @Nullable Object step(Object place, String key, String next) {
    Object child = Pointers.find(new JsonObject().put("at", place), List.of("at", key));
    if (child == null) {
      child = Pointers.index(next) >= 0 ? new JsonArray() : new JsonObject();
      return put(place, key, child) ? child : null;
    }
    return child instanceof JsonObject || child instanceof JsonArray ? child : null;
  }

  private void refuse(ConfigOverride setting, int depth) {
    List<String> path = setting.path();
    String pointer = Pointers.of(path.subList(0, depth + 1));
    Object parent = Pointers.find(document, path.subList(0, depth));
    String allowed =
        parent instanceof JsonArray array
            ? "is no place to set: the list takes indexes from 0 to " + array.size()
            : "is no place to set: it holds no object and no list";
    problems.add(Problem.about(pointer, allowed).from(setting.origin()));
  }
}
