package dev.vertlet.harness.result;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Object of a JSON document that may have been edited. Each mistake is an {@link
 * IllegalArgumentException} that names the field, its value and what is allowed.
 *
 * @param path path from the document's root, empty for the root
 */
record JsonFields(String path, JsonObject json) {
  String text(String name) {
    return require(name, String.class, "a text");
  }

  boolean flag(String name) {
    return require(name, Boolean.class, "true or false");
  }

  int count(String name) {
    long count = longCount(name);
    if (count > Integer.MAX_VALUE) {
      throw wrong(name, count, "at most " + Integer.MAX_VALUE);
    }
    return (int) count;
  }

  long longCount(String name) {
    Object value = json.getValue(name);
    if (value instanceof Integer || value instanceof Long) {
      long count = ((Number) value).longValue();
      if (count >= 0) {
        return count;
      }
    }
    throw wrong(name, value, "a whole number of at least 0");
  }

  double number(String name) {
    return require(name, Number.class, "a number").doubleValue();
  }

  /**
   * @param otherwise value in place of null
   */
  double number(String name, double otherwise) {
    return json.getValue(name) == null ? otherwise : number(name);
  }

  JsonFields object(String name) {
    return new JsonFields(at(name), require(name, JsonObject.class, "an object"));
  }

  boolean has(String name) {
    return json.getValue(name) != null;
  }

  Stream<JsonFields> objects(String name) {
    List<?> values = values(name);
    return IntStream.range(0, values.size())
        .mapToObj(
            index -> {
              String element = name + "[" + index + "]";
              if (values.get(index) instanceof JsonObject object) {
                return new JsonFields(at(element), object);
              }
              throw wrong(element, values.get(index), "an object");
            });
  }

  List<String> texts(String name) {
    return all(name, String.class, "texts");
  }

  List<Integer> counts(String name) {
    return all(name, Integer.class, "whole numbers");
  }

  /** Arrays of two numbers each. */
  List<double[]> pairs(String name) {
    return values(name).stream().map(value -> pair(name, value)).toList();
  }

  private double[] pair(String name, Object value) {
    if (value instanceof JsonArray pair
        && pair.size() == 2
        && pair.getValue(0) instanceof Number first
        && pair.getValue(1) instanceof Number second) {
      return new double[] {first.doubleValue(), second.doubleValue()};
    }
    throw wrong(name, value, "pairs of numbers");
  }

  private <T> List<T> all(String name, Class<T> type, String allowed) {
    List<?> values = values(name);
    if (!values.stream().allMatch(type::isInstance)) {
      throw wrong(name, json.getValue(name), "an array of " + allowed);
    }
    return values.stream().map(type::cast).toList();
  }

  private List<?> values(String name) {
    return require(name, JsonArray.class, "an array").stream().toList();
  }

  private <T> T require(String name, Class<T> type, String allowed) {
    Object value = json.getValue(name);
    if (!type.isInstance(value)) {
      throw wrong(name, value, allowed);
    }
    return type.cast(value);
  }

  IllegalArgumentException wrong(String name, @Nullable Object value, String allowed) {
    return new IllegalArgumentException(
        "%s: %s must be %s"
            .formatted(at(name), value == null ? "is missing;" : value.toString(), allowed));
  }

  private String at(String name) {
    return path.isEmpty() ? name : path + "." + name;
  }
}
