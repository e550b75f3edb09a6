package dev.vertlet.cri.wire;

import dev.vertlet.cri.wire.FieldSchema.Shape;
import io.vertx.core.buffer.Buffer;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Encodes and decodes a record as a protobuf message. Fields that the record does not have are
 * skipped, so that a runtime of another version is understood; a number that an enum does not have
 * is its value {@code …UNKNOWN}, else its first.
 */
public final class MessageSchema {
  private static final ClassValue<MessageSchema> ALL =
      new ClassValue<>() {
        @Override
        protected MessageSchema computeValue(Class<?> type) {
          return new MessageSchema(type);
        }
      };

  private final List<FieldSchema> fields = new ArrayList<>();
  private final Map<Integer, Integer> indexes = new HashMap<>();
  private final Constructor<?> constructor;

  private MessageSchema(Class<?> type) {
    RecordComponent[] components = type.getRecordComponents();
    if (components == null) {
      throw new IllegalArgumentException(type + " is not a record");
    }
    Class<?>[] parameters = new Class<?>[components.length];
    for (int i = 0; i < components.length; i++) {
      FieldSchema field = FieldSchema.of(components[i]);
      fields.add(field);
      indexes.put(field.number(), i);
      parameters[i] = components[i].getType();
    }
    try {
      constructor = type.getDeclaredConstructor(parameters);
      constructor.setAccessible(true);
    } catch (NoSuchMethodException e) {
      throw new IllegalArgumentException(type + " has no canonical constructor", e);
    }
  }

  static MessageSchema of(Class<?> type) {
    return ALL.get(type);
  }

  List<FieldSchema> fields() {
    return fields;
  }

  /** Encodes a message of this package. */
  public static Buffer encode(Record message) {
    ProtoOutput output = new ProtoOutput();
    for (FieldSchema field : of(message.getClass()).fields) {
      Object value = read(field, message);
      if (value != null && !value.equals(field.absent())) {
        write(output, field, value);
      }
    }
    return output.buffer();
  }

  private static @Nullable Object read(FieldSchema field, Record message) {
    try {
      return field.accessor().invoke(message);
    } catch (IllegalAccessException | InvocationTargetException e) {
      throw new IllegalStateException("component " + field.name() + " cannot be read", e);
    }
  }

  private static void write(ProtoOutput output, FieldSchema field, Object value) {
    int number = field.number();
    if (field.shape() == Shape.MAP) {
      for (Map.Entry<?, ?> entry : ((Map<?, ?>) value).entrySet()) {
        ProtoOutput pair = new ProtoOutput();
        pair.text(1, (String) entry.getKey());
        pair.text(2, (String) entry.getValue());
        output.data(number, pair.buffer());
      }
    } else if (field.shape() == Shape.ONE) {
      writeOne(output, field, value);
    } else if (field.element() == Integer.class || field.element() == Long.class) {
      ProtoOutput list = new ProtoOutput();
      for (Object element : (List<?>) value) {
        list.packed(((Number) element).longValue());
      }
      output.data(number, list.buffer());
    } else {
      for (Object element : (List<?>) value) {
        writeOne(output, field, element);
      }
    }
  }

  private static void writeOne(ProtoOutput output, FieldSchema field, Object value) {
    int number = field.number();
    if (value instanceof Record message) {
      output.data(number, encode(message));
    } else if (value instanceof String text) {
      output.text(number, text);
    } else if (value instanceof Buffer bytes) {
      output.data(number, bytes);
    } else if (value instanceof Integer small) {
      output.integer(number, field.type().equals("uint32") ? Integer.toUnsignedLong(small) : small);
    } else if (value instanceof Long large) {
      output.integer(number, large);
    } else if (value instanceof Boolean flag) {
      output.integer(number, flag ? 1 : 0);
    } else if (value instanceof Double fraction) {
      output.fraction(number, fraction);
    } else if (value instanceof Enum<?> constant) {
      output.integer(number, constant.ordinal());
    } else {
      throw new IllegalArgumentException("no encoding of " + value.getClass());
    }
  }

  /**
   * Decodes a message of this package.
   *
   * @throws ProtoException for bytes that are no such message
   */
  public static <T> T decode(Class<T> type, Buffer bytes) {
    return type.cast(of(type).decode(new ProtoInput(bytes.getBytes())));
  }

  private Object decode(ProtoInput input) {
    @Nullable Object[] values = new @Nullable Object[fields.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = fields.get(i).absent();
    }
    while (input.next()) {
      Integer index = indexes.get(input.number());
      if (index == null) {
        input.skip();
      } else {
        values[index] = add(fields.get(index), values[index], input);
      }
    }
    for (int i = 0; i < values.length; i++) {
      values[i] = frozen(values[i]);
    }
    try {
      return constructor.newInstance(values);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("no " + constructor.getDeclaringClass() + " can be made", e);
    }
  }

  private static @Nullable Object frozen(@Nullable Object value) {
    if (value instanceof List<?> list) {
      return Collections.unmodifiableList(list);
    }
    return value instanceof Map<?, ?> map ? Collections.unmodifiableMap(map) : value;
  }

  @SuppressWarnings("unchecked") // lists and maps are those of absent(), with the field's elements
  private static @Nullable Object add(
      FieldSchema field, @Nullable Object before, ProtoInput input) {
    if (field.shape() == Shape.MAP && before != null) {
      entry((Map<String, String>) before, input.enter());
      return before;
    }
    if (field.shape() == Shape.LIST && before != null) {
      addTo((List<Object>) before, field, input);
      return before;
    }
    return value(field.element(), input);
  }

  private static void entry(Map<String, String> target, ProtoInput pair) {
    String key = "";
    String value = "";
    while (pair.next()) {
      switch (pair.number()) {
        case 1 -> key = pair.text();
        case 2 -> value = pair.text();
        default -> pair.skip();
      }
    }
    target.put(key, value);
  }

  private static void addTo(List<Object> list, FieldSchema field, ProtoInput input) {
    boolean small = field.element() == Integer.class;
    if ((small || field.element() == Long.class) && input.packed()) {
      ProtoInput numbers = input.enter();
      while (numbers.more()) {
        long number = numbers.packedInteger();
        list.add(small ? (Object) (int) number : (Object) number);
      }
    } else {
      list.add(value(field.element(), input));
    }
  }

  private static Object value(Class<?> type, ProtoInput input) {
    if (type == String.class) {
      return input.text();
    }
    if (type == int.class || type == Integer.class) {
      return (int) input.integer();
    }
    if (type == long.class || type == Long.class) {
      return input.integer();
    }
    if (type == boolean.class) {
      return input.integer() != 0;
    }
    if (type == double.class) {
      return input.fraction();
    }
    if (type == Buffer.class) {
      return input.data();
    }
    return type.isEnum() ? constant(type, input.integer()) : of(type).decode(input.enter());
  }

  private static Object constant(Class<?> type, long number) {
    Object[] constants = type.getEnumConstants();
    if (number >= 0 && number < constants.length) {
      return constants[(int) number];
    }
    for (Object constant : constants) {
      if (((Enum<?>) constant).name().endsWith("UNKNOWN")) {
        return constant;
      }
    }
    return constants[0];
  }
}
