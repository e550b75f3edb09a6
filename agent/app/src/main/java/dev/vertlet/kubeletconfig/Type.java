package dev.vertlet.kubeletconfig;

import dev.vertlet.model.GoDuration;
import dev.vertlet.model.resource.Quantities;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Type that Go decodes into a field, with the text for its mistakes. A Go field that is not a
 * pointer cannot distinguish its zero value from absence.
 */
public enum Type {
  BOOL("true or false", value -> value instanceof Boolean, false),
  TEXT("a text", value -> value instanceof String, true),
  /** A file path, relative to the directory of the dynamic config. */
  FILE("a text", value -> value instanceof String, true),
  DURATION("a duration such as \"10s\" or \"1m30s\"", Type::isDuration, true),
  /** A pointer field. */
  SET_DURATION("a duration such as \"10s\" or \"1m30s\"", Type::isDuration, false),
  /** A duration that was a number in earlier versions. */
  TIME(
      "a duration such as \"10s\", or a whole number of nanoseconds",
      value -> isDuration(value) || isWhole(value),
      true),
  INT32("a whole number of 32 bits", Type::isInt32, true),
  /** A pointer field. */
  SET_INT32("a whole number of 32 bits", Type::isInt32, false),
  UINT32("a whole number from 0 to 4294967295", Type::isUnsigned, true),
  INT64("a whole number", Type::isWhole, true),
  /** A pointer field. */
  SET_INT64("a whole number", Type::isWhole, false),
  NUMBER("a number", value -> value instanceof Number, false),
  QUANTITY("a quantity such as \"1Mi\"", Type::isQuantity, false),
  TEXTS("a list of texts", value -> list(value, item -> item instanceof String), true),
  /** A list that may be empty. */
  SET_TEXTS("a list of texts", value -> list(value, item -> item instanceof String), false),
  INTS("a list of whole numbers", value -> list(value, Type::isInt32), true),
  TAINTS(
      "a list of objects with the texts key, value, effect and timeAdded",
      items(
          Map.of(
              "key",
              TEXT.fits,
              "value",
              TEXT.fits,
              "effect",
              TEXT.fits,
              "timeAdded",
              Type::isTime)),
      true),
  RESERVATIONS(
      "a list of objects with numaNode, a whole number, and limits, an object of quantities",
      items(Map.of("numaNode", INT32.fits, "limits", value -> map(value, Type::isQuantity))),
      true),
  PRIORITIES(
      "a list of objects with the whole numbers priority and shutdownGracePeriodSeconds",
      items(Map.of("priority", INT32.fits, "shutdownGracePeriodSeconds", INT64.fits)),
      true),
  MODULES(
      "a list of objects with filePattern, a text, and verbosity, a whole number from 0 to"
          + " 4294967295",
      items(Map.of("filePattern", TEXT.fits, "verbosity", UINT32.fits)),
      true),
  TEXT_MAP("an object of texts", value -> map(value, item -> item instanceof String), false),
  BOOL_MAP("an object of true and false", value -> map(value, i -> i instanceof Boolean), true),
  TEXTS_MAP("an object of lists of texts", value -> map(value, TEXTS::fits), true);

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

  /** Returns whether this value means absence, so that the default applies. */
  boolean absent(Object value) {
    return zeroIsAbsent
        && (value.equals("")
            || (value instanceof Number number && number.doubleValue() == 0)
            || (value instanceof JsonArray array && array.isEmpty())
            || ((this == DURATION || this == TIME)
                && value instanceof String text
                && GoDuration.parse(text).equals(Duration.ZERO)));
  }

  private static boolean isDuration(Object value) {
    try {
      return value instanceof String text && GoDuration.parse(text) != null;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private static boolean isQuantity(Object value) {
    try {
      return (value instanceof String || value instanceof Number)
          && Quantities.parse("", value.toString()) != null;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private static boolean isTime(Object value) {
    try {
      return value instanceof String text && OffsetDateTime.parse(text) != null;
    } catch (DateTimeParseException e) {
      return false;
    }
  }

  private static boolean isInt32(Object value) {
    return isWhole(value) && ((Number) value).longValue() == ((Number) value).intValue();
  }

  private static boolean isUnsigned(Object value) {
    return isWhole(value) && ((Number) value).longValue() >>> Integer.SIZE == 0;
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

  /** Checks a list of objects whose known keys, if present, have valid values. */
  private static Predicate<Object> items(Map<String, Predicate<Object>> keys) {
    return value ->
        list(
            value,
            item ->
                item instanceof JsonObject object
                    && keys.entrySet().stream()
                        .allMatch(
                            key -> {
                              Object found = object.getValue(key.getKey());
                              return found == null || key.getValue().test(found);
                            }));
  }
}
