package dev.vertlet.cri.wire;

import io.vertx.core.buffer.Buffer;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One field of a message.
 *
 * @param name in the protocol
 * @param type as the protocol writes it, with {@code repeated} if it is
 * @param element class of the value, or of the elements of a list
 * @param shape whether it is one value, a list, or a map of texts
 */
record FieldSchema(
    int number, String name, String type, Class<?> element, Shape shape, Method accessor) {
  /** Number of values that a field has. */
  enum Shape {
    ONE,
    LIST,
    MAP
  }

  static FieldSchema of(RecordComponent component) {
    Field field = component.getAnnotation(Field.class);
    if (field == null) {
      throw new IllegalArgumentException(component + " has no field number");
    }
    String name = field.name().isEmpty() ? snakeCase(component.getName()) : field.name();
    Class<?> raw = component.getType();
    Shape shape = raw == List.class ? Shape.LIST : raw == Map.class ? Shape.MAP : Shape.ONE;
    Class<?> element = shape == Shape.LIST ? argument(component.getGenericType()) : raw;
    String plain = field.type().isEmpty() ? typeOf(element) : field.type();
    String type =
        switch (shape) {
          case ONE -> plain;
          case LIST -> "repeated " + plain;
          case MAP -> "map<string, string>";
        };
    Method accessor = component.getAccessor();
    accessor.setAccessible(true);
    return new FieldSchema(field.value(), name, type, element, shape, accessor);
  }

  private static Class<?> argument(Type list) {
    return (Class<?>) ((ParameterizedType) list).getActualTypeArguments()[0];
  }

  private static String snakeCase(String name) {
    return name.replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
  }

  private static String typeOf(Class<?> type) {
    if (type == String.class) {
      return "string";
    }
    if (type == int.class || type == Integer.class) {
      return "int32";
    }
    if (type == long.class || type == Long.class) {
      return "int64";
    }
    if (type == boolean.class) {
      return "bool";
    }
    if (type == double.class) {
      return "double";
    }
    return type == Buffer.class ? "bytes" : type.getSimpleName();
  }

  /** Value of a field that a message does not have. */
  @Nullable Object absent() {
    if (shape == Shape.LIST) {
      return new ArrayList<>();
    }
    if (shape == Shape.MAP) {
      return new LinkedHashMap<String, String>();
    }
    if (element == String.class) {
      return "";
    }
    if (element == int.class) {
      return 0;
    }
    if (element == long.class) {
      return 0L;
    }
    if (element == boolean.class) {
      return false;
    }
    if (element == double.class) {
      return 0.0;
    }
    if (element == Buffer.class) {
      return Buffer.buffer();
    }
    return element.isEnum() ? element.getEnumConstants()[0] : null;
  }
}
