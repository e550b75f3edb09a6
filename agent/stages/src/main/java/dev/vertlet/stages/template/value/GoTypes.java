package dev.vertlet.stages.template.value;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Types and kinds of Go. */
public final class GoTypes {
  private GoTypes() {}

  /** What Go's reflect package calls a kind, as far as templates have them. */
  public enum Kind {
    /** Nothing, or nil without a type. */
    INVALID("invalid"),
    /** True or false. */
    BOOL("bool"),
    /** A signed integer. */
    INT("int"),
    /** An unsigned integer. */
    UINT("uint"),
    /** A float64. */
    FLOAT("float64"),
    /** A string, or a number of JSON. */
    STRING("string"),
    /** A list. */
    SLICE("slice"),
    /** A map. */
    MAP("map"),
    /** A time or a version. */
    STRUCT("struct");

    private final String goName;

    Kind(String goName) {
      this.goName = goName;
    }
  }

  /** Kind of a value; all integers of one sign are one kind. */
  public static Kind kind(@Nullable Object value) {
    if (value == null) {
      return Kind.INVALID;
    }
    if (value instanceof String || value instanceof JsonNumber) {
      return Kind.STRING;
    }
    if (value instanceof Map) {
      return Kind.MAP;
    }
    if (value instanceof List) {
      return Kind.SLICE;
    }
    if (value instanceof Long) {
      return Kind.INT;
    }
    if (value instanceof Boolean) {
      return Kind.BOOL;
    }
    if (value instanceof Double) {
      return Kind.FLOAT;
    }
    if (value instanceof GoInteger integer) {
      return integer.type().unsigned() ? Kind.UINT : Kind.INT;
    }
    if (value instanceof ObjectValue) {
      return Kind.STRUCT;
    }
    throw new IllegalArgumentException("not a value of templates: " + value.getClass());
  }

  /** Go's name of a value's kind, for example {@code int64}. */
  public static String kindName(@Nullable Object value) {
    if (value instanceof GoInteger integer) {
      return integer.type().goName();
    }
    return kind(value).goName;
  }

  /** Go's name of a value's type, for example {@code map[string]interface {}}. */
  public static String name(@Nullable Object value) {
    if (value == null) {
      return "<nil>";
    }
    if (value instanceof JsonNumber) {
      return "json.Number";
    }
    if (value instanceof ObjectValue object) {
      return object.typeName();
    }
    if (value instanceof TypedList list) {
      return "[]" + list.elementType();
    }
    if (value instanceof TypedMap) {
      return "map[string]string";
    }
    return switch (kind(value)) {
      case MAP -> "map[string]interface {}";
      case SLICE -> "[]interface {}";
      default -> kindName(value);
    };
  }

  /** Whether Go's {@code if} takes a value for true: it is not empty, zero, false or nil. */
  public static boolean isTrue(@Nullable Object value) {
    if (value == null) {
      return false;
    }
    return switch (kind(value)) {
      case INVALID -> false;
      case BOOL -> (Boolean) value;
      case INT, UINT -> integer(value) != 0;
      case FLOAT -> (Double) value != 0;
      case STRING -> !value.toString().isEmpty();
      case SLICE -> !((List<?>) value).isEmpty();
      case MAP -> !((Map<?, ?>) value).isEmpty();
      case STRUCT -> true;
    };
  }

  /** The 64 bits of a value of kind INT or UINT. */
  public static long integer(@Nullable Object value) {
    if (value instanceof Long integer) {
      return integer;
    }
    if (value instanceof GoInteger integer) {
      return integer.value();
    }
    throw new IllegalArgumentException("not an integer: " + value);
  }
}
