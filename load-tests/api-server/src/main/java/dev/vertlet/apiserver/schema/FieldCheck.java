package dev.vertlet.apiserver.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.vertlet.apiserver.api.Quantities;
import dev.vertlet.apiserver.schema.Shape.Cardinality;
import dev.vertlet.apiserver.schema.Shape.Field;
import dev.vertlet.apiserver.schema.Shape.Kind;
import dev.vertlet.apiserver.schema.Shape.Slot;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Compares what a client sent with its type, as the JSON decoder of the real server does. */
public final class FieldCheck {
  /** A value of the wrong type; the message is that of Go's decoder. */
  public static final class MismatchException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    MismatchException(String message) {
      super(message);
    }
  }

  private static final Set<String> TYPE_FIELDS = Set.of("kind", "apiVersion");

  private final List<String> unknown = new ArrayList<>();

  private FieldCheck() {}

  /**
   * Takes fields the type does not have out of an object, and makes of the others what a server in
   * Go makes of them: nulls, empty lists and maps and zeros that mean "not set" are no fields, and
   * quantities are canonical.
   *
   * @return their paths, such as {@code spec.containers[0].foo}
   * @throws MismatchException when a field has a value of another type
   */
  public static List<String> prune(Shape shape, ObjectNode object) {
    FieldCheck check = new FieldCheck();
    check.object(shape, object, "", "");
    return check.unknown;
  }

  /**
   * @param path where the object is, with positions in lists
   * @param plainPath the same without positions
   */
  private void object(Shape shape, ObjectNode object, String path, String plainPath) {
    Iterator<Map.Entry<String, JsonNode>> fields = object.properties().iterator();
    while (fields.hasNext()) {
      Map.Entry<String, JsonNode> entry = fields.next();
      String name = entry.getKey();
      Optional<Slot> slot = shape.find(name);
      if (slot.isPresent()) {
        if (!entry.getValue().isNull()) {
          field(shape, slot.get(), entry.getValue(), join(path, name), join(plainPath, name));
        }
        if (isAbsent(shape, slot.get().field(), entry.getValue())) {
          fields.remove();
        } else {
          quantities(slot.get().field(), entry);
        }
      } else if (!path.isEmpty() || !TYPE_FIELDS.contains(name)) {
        unknown.add(join(path, name));
        fields.remove();
      }
    }
  }

  private static boolean isAbsent(Shape parent, Field field, JsonNode value) {
    if (field.cardinality() != Cardinality.ONE) {
      return value.isNull() || value.isEmpty();
    }
    return value.isNull()
        || (field.kind() != Kind.INT_OR_STRING && ZeroValues.meansAbsent(parent, field, value));
  }

  private static void quantities(Field field, Map.Entry<String, JsonNode> entry) {
    if (field.kind() != Kind.QUANTITY) {
      return;
    } else if (field.cardinality() == Cardinality.ONE) {
      canonical(entry);
    } else {
      entry.getValue().properties().forEach(FieldCheck::canonical);
    }
  }

  private static void canonical(Map.Entry<String, JsonNode> entry) {
    JsonNode value = entry.getValue();
    entry.setValue(TextNode.valueOf(value.isNull() ? "0" : Quantities.canonical(value)));
  }

  private static String join(String path, String name) {
    return path.isEmpty() ? name : path + "." + name;
  }

  private void field(Shape parent, Slot slot, JsonNode value, String path, String plainPath) {
    Field field = slot.field();
    String struct = parent.simpleName() + "." + plainPath;
    if (field.cardinality() == Cardinality.LIST) {
      if (!value.isArray()) {
        throw mismatch(value, struct, "[]" + goType(slot));
      }
      for (int i = 0; i < value.size(); i++) {
        one(slot, value.get(i), struct, path + "[" + i + "]", plainPath);
      }
    } else if (field.cardinality() == Cardinality.MAP) {
      if (!value.isObject()) {
        throw mismatch(value, struct, "map[string]" + goType(slot));
      }
      for (Map.Entry<String, JsonNode> entry : value.properties()) {
        one(slot, entry.getValue(), struct, join(path, entry.getKey()), plainPath);
      }
    } else {
      one(slot, value, struct, path, plainPath);
    }
  }

  private void one(Slot slot, JsonNode value, String struct, String path, String plainPath) {
    if (value.isNull()) {
      return;
    } else if (!fits(slot.field().kind(), value)) {
      throw mismatch(value, struct, goType(slot));
    }
    checkText(slot.field().kind(), value);
    if (slot.field().kind() == Kind.MESSAGE && value instanceof ObjectNode object) {
      object(slot.shape(), object, path, plainPath);
    }
  }

  private static boolean fits(Kind kind, JsonNode value) {
    return switch (kind) {
      case STRING, BYTES, TIME, MICRO_TIME -> value.isTextual();
      case BOOLEAN -> value.isBoolean();
      case INT32 -> value.isIntegralNumber() && value.canConvertToInt();
      case INT64 -> value.isIntegralNumber() && value.canConvertToLong();
      case DOUBLE -> value.isNumber();
      case QUANTITY -> value.isTextual() || value.isNumber();
      case INT_OR_STRING -> value.isTextual() || value.canConvertToInt();
      case RAW -> true;
      case MESSAGE, INLINE -> value.isObject();
    };
  }

  private static void checkText(Kind kind, JsonNode value) {
    try {
      if (kind == Kind.TIME || kind == Kind.MICRO_TIME) {
        GoTime.check(value.asText(), kind == Kind.MICRO_TIME);
      } else if (kind == Kind.QUANTITY) {
        String problem = Quantities.problem(value.asText().trim());
        if (!problem.isEmpty()) {
          throw new MismatchException(problem);
        }
      } else if (kind == Kind.BYTES) {
        GoBase64.decode(value.asText());
      }
    } catch (GoTime.MalformedException e) {
      throw new MismatchException(String.valueOf(e.getMessage()));
    } catch (GoBase64.CorruptException e) {
      throw new MismatchException(String.valueOf(e.getMessage()));
    }
  }

  private static String goType(Slot slot) {
    if (slot.field().kind() != Kind.MESSAGE) {
      return slot.field().kind().goType();
    }
    String name = slot.shape().name();
    int type = name.lastIndexOf('.');
    return name.substring(name.lastIndexOf('.', type - 1) + 1);
  }

  private static MismatchException mismatch(JsonNode value, String struct, String goType) {
    String found =
        switch (value.getNodeType()) {
          case STRING -> "string";
          case NUMBER -> "number";
          case BOOLEAN -> "bool";
          case ARRAY -> "array";
          default -> "object";
        };
    boolean overflow = found.equals("number") && goType.startsWith("int");
    return new MismatchException(
        "json: cannot unmarshal %s into Go struct field %s of type %s"
            .formatted(overflow ? "number " + value.asText() : found, struct, goType));
  }
}
