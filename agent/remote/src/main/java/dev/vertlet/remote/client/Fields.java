package dev.vertlet.remote.client;

import dev.vertlet.problem.Pointers;
import dev.vertlet.problem.Problem;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.Json;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import org.jspecify.annotations.Nullable;

/**
 * Reads fields of what the back end says. Every method throws a {@link ContractException} for a
 * value of another kind; a null value counts as missing. Pure.
 */
public final class Fields {
  private Fields() {}

  /** Reads a document that is an object. */
  public static JsonObject document(Buffer bytes) {
    try {
      if (Json.decodeValue(bytes) instanceof JsonObject json) {
        return json;
      }
    } catch (DecodeException e) {
      // reported below
    }
    throw new ContractException(Problem.about("", "must be a JSON object"));
  }

  /** Reads the state of the pod with this UID. */
  public static JsonObject of(String uid, Buffer bytes) {
    JsonObject json = document(bytes);
    if (!uid.equals(json.getValue("uid"))) {
      throw refused(json, "uid", "must be " + uid);
    }
    return json;
  }

  /** Reads a required text that is not empty. */
  public static String text(JsonObject json, String key) {
    if (json.getValue(key) instanceof String text && !text.isEmpty()) {
      return text;
    }
    throw refused(json, key, "must be a text");
  }

  public static String text(JsonObject json, String key, String fallback) {
    Object value = json.getValue(key);
    if (value == null) {
      return fallback;
    }
    if (value instanceof String text) {
      return text;
    }
    throw refused(json, key, "must be a text");
  }

  /** Reads a required whole number. */
  public static long number(JsonObject json, String key) {
    Object value = json.getValue(key);
    if (value instanceof Integer || value instanceof Long) {
      return ((Number) value).longValue();
    }
    throw refused(json, key, "must be a whole number");
  }

  public static boolean flag(JsonObject json, String key) {
    Object value = json.getValue(key);
    if (value == null || value instanceof Boolean) {
      return Boolean.TRUE.equals(value);
    }
    throw refused(json, key, "must be true or false");
  }

  /** Reads a required object. */
  public static JsonObject object(JsonObject json, String key) {
    if (json.getValue(key) instanceof JsonObject object) {
      return object;
    }
    throw refused(json, key, "must be an object");
  }

  /** Reads a required array. */
  public static JsonArray array(JsonObject json, String key) {
    if (json.getValue(key) instanceof JsonArray array) {
      return array;
    }
    throw refused(json, key, "must be an array");
  }

  /**
   * Reads an entry of an array, which has to be an object.
   *
   * @param pointer of the array
   */
  public static JsonObject object(JsonArray array, String pointer, int index) {
    if (array.getValue(index) instanceof JsonObject object) {
      return object;
    }
    throw refused(array.getValue(index), pointer + "/" + index, "must be an object");
  }

  /**
   * Describes a field with a value that is not allowed.
   *
   * @param allowed for example {@code must be a text}
   */
  public static ContractException refused(JsonObject json, String key, String allowed) {
    return refused(json.getValue(key), Pointers.of(key), allowed);
  }

  private static ContractException refused(@Nullable Object value, String pointer, String allowed) {
    return new ContractException(
        value == null
            ? Problem.about(pointer, "is missing; " + allowed)
            : Problem.of(pointer, value, allowed));
  }
}
