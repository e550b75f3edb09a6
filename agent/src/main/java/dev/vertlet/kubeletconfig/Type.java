package dev.vertlet.kubeletconfig;

import dev.vertlet.model.GoDuration;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.Map;
import java.util.function.Predicate;

/**
 * What Go decodes into a field, in the words of its mistakes. A field that is no pointer in Go
 * cannot tell its zero from its absence.
 */
public enum Type {
  BOOL("true or false", value -> value instanceof Boolean, false),
  TEXT("a text", value -> value instanceof String, true),
  /** A file; relative to where the payload is kept. */
  FILE("a text", value -> value instanceof String, true),
  DURATION("a duration such as \"10s\" or \"1m30s\"", Type::isDuration, true),
  INT32("a whole number of 32 bits", Type::isInt32, true),
  /** A pointer. */
  SET_INT32("a whole number of 32 bits", Type::isInt32, false),
  INT64("a whole number", Type::isWhole, true),
  NUMBER("a number", value -> value instanceof Number, false),
  TEXTS("a list of texts", value -> list(value, item -> item instanceof String), true),
  INTS("a list of whole numbers", value -> list(value, Type::isInt32), true),
  OBJECTS("a list of objects", value -> list(value, item -> item instanceof JsonObject), true),
  TEXT_MAP("an object of texts", value -> map(value, item -> item instanceof String), false),
  BOOL_MAP("an object of true and false", value -> map(value, i -> i instanceof Boolean), true),
  TEXTS_MAP("an object of lists of texts", value -> map(value, TEXTS::fits), true),
  ANY("anything", value -> true, false);

  private final String allowed;
  private final Predicate<Object> fits;
  private final boolean zeroIsAbsent;

  Type(String allowed, Predicate<Object> fits, boolean zeroIsAbsent) {
    this.allowed = allowed;
    this.fits = fits;
    this.zeroIsAbsent = zeroIsAbsent;
  }

  String allowed() {
    return allowed;
  }

  boolean fits(Object value) {
    return fits.test(value);
  }

  /** Whether the default counts for this value, as for none. */
  boolean absent(Object value) {
    return zeroIsAbsent
        && (value.equals("")
            || (value instanceof Number number && number.doubleValue() == 0)
            || (value instanceof JsonArray array && array.isEmpty())
            || (this == DURATION && GoDuration.parse((String) value).equals(Duration.ZERO)));
  }

  private static boolean isDuration(Object value) {
    try {
      return value instanceof String text && GoDuration.parse(text) != null;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private static boolean isInt32(Object value) {
    return isWhole(value) && ((Number) value).longValue() == ((Number) value).intValue();
  }

  private static boolean isWhole(Object value) {
    return value instanceof Integer || value instanceof Long;
  }

  private static boolean list(Object value, Predicate<Object> item) {
    return value instanceof JsonArray array && array.stream().allMatch(item);
  }

  private static boolean map(Object value, Predicate<Object> item) {
    return value instanceof JsonObject object
        && object.stream().map(Map.Entry::getValue).allMatch(item);
  }
}
