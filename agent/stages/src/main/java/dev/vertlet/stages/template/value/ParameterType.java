package dev.vertlet.stages.template.value;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Type of a function's parameter. */
public enum ParameterType {
  /** Any value; nil is null. */
  ANY("any", "interface {}", true),
  /** Any value, with the knowledge whether it came out of a list or map; Go's own functions. */
  VALUE("value", "reflect.Value", true),
  /** A string; a number of JSON is none. */
  STRING("string", "string", false),
  /** An int, which Java has as Long. */
  INT("int", "int", false),
  /** A float64. */
  FLOAT64("float64", "float64", false),
  /** A bool. */
  BOOL("bool", "bool", false),
  /** A map from strings to any values. */
  MAP("map", "map[string]interface {}", true),
  /** A time. */
  TIME("time", "time.Time", false);

  private final String name;
  private final String goName;
  private final boolean nil;

  ParameterType(String name, String goName, boolean nil) {
    this.name = name;
    this.goName = goName;
    this.nil = nil;
  }

  static ParameterType of(String name) {
    for (ParameterType type : values()) {
      if (type.name.equals(name)) {
        return type;
      }
    }
    throw new IllegalArgumentException("unknown parameter type: " + name);
  }

  /** Go's name of the type, as error messages have it. */
  public String goName() {
    return goName;
  }

  /** Whether nil is a value of the type. */
  public boolean canBeNil() {
    return nil;
  }

  /** Whether a value can be assigned to the type. */
  public boolean accepts(@Nullable Object value) {
    return switch (this) {
      case ANY, VALUE -> true;
      case STRING -> value instanceof String;
      case INT -> value instanceof Long;
      case FLOAT64 -> value instanceof Double;
      case BOOL -> value instanceof Boolean;
      case MAP -> value instanceof Map && GoTypes.name(value).equals(goName);
      case TIME -> value != null && GoTypes.name(value).equals(goName);
    };
  }
}
