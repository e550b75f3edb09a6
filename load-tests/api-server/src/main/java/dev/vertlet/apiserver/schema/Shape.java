package dev.vertlet.apiserver.schema;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** A message type: its fields, by JSON name and by protobuf number. */
public final class Shape {
  /** How a value looks on the wire. */
  public enum Kind {
    STRING("string"),
    BOOLEAN("bool"),
    INT32("int32"),
    INT64("int64"),
    DOUBLE("float64"),
    /** Bytes, base64 in JSON. */
    BYTES("[]byte"),
    /** {@code metav1.Time}: RFC 3339 with whole seconds in JSON. */
    TIME("v1.Time"),
    /** {@code metav1.MicroTime}: RFC 3339 with six decimals in JSON. */
    MICRO_TIME("v1.MicroTime"),
    /** {@code resource.Quantity}: text in JSON, a message with one string in protobuf. */
    QUANTITY("resource.Quantity"),
    INT_OR_STRING("intstr.IntOrString"),
    /** JSON that is kept as it is, such as {@code FieldsV1}. */
    RAW("runtime.RawExtension"),
    MESSAGE("struct"),
    /** A message whose fields JSON shows among those of its parent. */
    INLINE("struct");

    private final String goType;

    Kind(String goType) {
      this.goType = goType;
    }

    /** The name of the type in messages of a server written in Go. */
    String goType() {
      return goType;
    }
  }

  /** How often a value occurs. */
  public enum Cardinality {
    ONE,
    LIST,
    /** Keys are strings. */
    MAP
  }

  /**
   * A field.
   *
   * @param name its name in JSON
   * @param number its number in protobuf
   * @param type name of the message type, empty for a scalar
   */
  public record Field(String name, int number, Kind kind, Cardinality cardinality, String type) {
    /** One scalar. */
    static Field of(String name, int number, Kind kind) {
      return new Field(name, number, kind, Cardinality.ONE, "");
    }

    /** One message. */
    static Field message(String name, int number, String type) {
      return new Field(name, number, Kind.MESSAGE, Cardinality.ONE, type);
    }
  }

  /** A field with the shape of its message, an empty one for a scalar. */
  record Slot(Field field, Shape shape) {}

  private static final Shape SCALAR = new Shape("", List.of());

  private final String name;
  private final List<Field> fields;
  private List<Slot> slots = List.of();
  private Map<String, Slot> byName = Map.of();
  private Map<Integer, Slot> byNumber = Map.of();

  /**
   * @param name full name, such as {@code k8s.io.api.core.v1.Pod}
   */
  Shape(String name, List<Field> fields) {
    this.name = name;
    this.fields = fields.stream().sorted(Comparator.comparingInt(Field::number)).toList();
  }

  /** Follows type names; types may be recursive, so this comes after all shapes are known. */
  void resolve(Map<String, Shape> shapes) {
    slots =
        fields.stream()
            .map(field -> new Slot(field, shapes.getOrDefault(field.type(), SCALAR)))
            .toList();
  }

  /** Makes the fields known by name, those of inlined messages included. */
  void index() {
    Map<String, Slot> found = new HashMap<>();
    collect(found);
    byName = Map.copyOf(found);
    byNumber =
        slots.stream()
            .collect(Collectors.toUnmodifiableMap(slot -> slot.field().number(), slot -> slot));
  }

  private void collect(Map<String, Slot> found) {
    for (Slot slot : slots) {
      if (slot.field().kind() == Kind.INLINE) {
        slot.shape().collect(found);
      } else {
        found.put(slot.field().name(), slot);
      }
    }
  }

  /** Full name, such as {@code k8s.io.api.core.v1.Pod}. */
  public String name() {
    return name;
  }

  /** The name without its package. */
  String simpleName() {
    return name.substring(name.lastIndexOf('.') + 1);
  }

  /** The fields in the order of their numbers. */
  public List<Field> fields() {
    return fields;
  }

  /** Fields and their types in the order of their numbers. */
  List<Slot> slots() {
    return slots;
  }

  /** Every field JSON shows at this level. */
  Map<String, Slot> jsonFields() {
    return byName;
  }

  /** The field of this JSON name, inlined ones included. */
  Optional<Slot> find(String jsonName) {
    return Optional.ofNullable(byName.get(jsonName));
  }

  /** The field of this protobuf number. */
  Optional<Slot> find(int number) {
    return Optional.ofNullable(byNumber.get(number));
  }
}
