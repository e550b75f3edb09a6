package dev.vertlet.apiserver.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.WireFormat;
import dev.vertlet.apiserver.api.Json;
import dev.vertlet.apiserver.schema.Shape.Cardinality;
import dev.vertlet.apiserver.schema.Shape.Kind;
import dev.vertlet.apiserver.schema.Shape.Slot;
import java.io.IOException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Base64;
import java.util.Locale;

/**
 * Reads protobuf bodies as JSON trees.
 *
 * <p>A server written in Go reads into structs, where an optional number is a pointer. A client in
 * Go writes every field that is no pointer, zero or not; {@link ZeroValues} tells which zeros mean
 * "absent".
 */
public final class ProtobufReader {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
  private static final byte[] MAGIC = {'k', '8', 's', 0};

  /** The form of {@code metav1.MicroTime}. */
  private static final DateTimeFormatter MICROSECONDS =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  /**
   * A body out of its envelope.
   *
   * @param message the bytes of the object
   */
  public record Envelope(String apiVersion, String kind, byte[] message) {}

  private ProtobufReader() {}

  /**
   * Opens the envelope of a body.
   *
   * @throws IOException when it is none
   */
  public static Envelope open(byte[] body) throws IOException {
    if (body.length < MAGIC.length
        || !Arrays.equals(MAGIC, 0, MAGIC.length, body, 0, MAGIC.length)) {
      throw new IOException("provided data does not appear to be a protobuf message");
    }
    Scalars unknown =
        new Scalars(CodedInputStream.newInstance(body, MAGIC.length, body.length - MAGIC.length));
    Scalars type = new Scalars(CodedInputStream.newInstance(unknown.bytes(1)));
    return new Envelope(type.text(1), type.text(2), unknown.bytes(2));
  }

  /**
   * Reads a message.
   *
   * @throws IOException when the bytes are no such message
   */
  public static ObjectNode message(Shape shape, byte[] bytes) throws IOException {
    ObjectNode object = Json.object();
    fields(shape, CodedInputStream.newInstance(bytes), object);
    return object;
  }

  private static void fields(Shape shape, CodedInputStream in, ObjectNode object)
      throws IOException {
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      var slot = shape.find(WireFormat.getTagFieldNumber(tag));
      if (slot.isEmpty()) {
        in.skipField(tag);
      } else if (slot.get().field().kind() == Kind.INLINE) {
        fields(slot.get().shape(), in.readBytes().newCodedInput(), object);
      } else {
        field(shape, slot.get(), in, object);
      }
    }
  }

  private static void field(Shape parent, Slot slot, CodedInputStream in, ObjectNode object)
      throws IOException {
    String name = slot.field().name();
    if (slot.field().cardinality() == Cardinality.LIST) {
      object.withArray(name).add(value(slot, in));
    } else if (slot.field().cardinality() == Cardinality.MAP) {
      entry(slot, in.readBytes().newCodedInput(), object.withObject("/" + name));
    } else {
      JsonNode value = value(slot, in);
      if (!value.isNull() && !ZeroValues.meansAbsent(parent, slot.field(), value)) {
        object.set(name, value);
      }
    }
  }

  private static void entry(Slot slot, CodedInputStream in, ObjectNode map) throws IOException {
    String key = "";
    JsonNode value = zero(slot);
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      int number = WireFormat.getTagFieldNumber(tag);
      if (number == 1) {
        key = in.readString();
      } else if (number == 2) {
        value = value(slot, in);
      } else {
        in.skipField(tag);
      }
    }
    map.set(key, value);
  }

  private static JsonNode zero(Slot slot) {
    return slot.field().kind() == Kind.MESSAGE ? Json.object() : NODES.textNode("");
  }

  private static JsonNode value(Slot slot, CodedInputStream in) throws IOException {
    return switch (slot.field().kind()) {
      case STRING -> NODES.textNode(in.readString());
      case BOOLEAN -> NODES.booleanNode(in.readBool());
      case INT32 -> NODES.numberNode(in.readInt32());
      case INT64 -> integer(in.readInt64());
      case DOUBLE -> NODES.numberNode(in.readDouble());
      case BYTES -> NODES.textNode(Base64.getEncoder().encodeToString(in.readByteArray()));
      default -> structured(slot, in.readBytes().newCodedInput());
    };
  }

  /** The node that a JSON parser makes of the number, so that trees can be compared. */
  private static JsonNode integer(long value) {
    return (int) value == value ? NODES.numberNode((int) value) : NODES.numberNode(value);
  }

  private static JsonNode structured(Slot slot, CodedInputStream in) throws IOException {
    return switch (slot.field().kind()) {
      case TIME, MICRO_TIME -> time(slot.field().kind(), in);
      case QUANTITY -> NODES.textNode(new Scalars(in).text(1));
      case RAW -> Json.read(new Scalars(in).bytes(1));
      case INT_OR_STRING -> {
        Scalars scalars = new Scalars(in);
        yield scalars.number(1) == 0
            ? NODES.numberNode((int) scalars.number(2))
            : NODES.textNode(scalars.text(3));
      }
      default -> {
        ObjectNode object = Json.object();
        fields(slot.shape(), in, object);
        yield object;
      }
    };
  }

  /** The zero time is how Go says null. */
  private static JsonNode time(Kind kind, CodedInputStream in) throws IOException {
    Scalars scalars = new Scalars(in);
    if (scalars.number(1) == 0 && scalars.number(2) == 0) {
      return NODES.nullNode();
    }
    Instant instant = Instant.ofEpochSecond(scalars.number(1), scalars.number(2));
    return NODES.textNode(
        kind == Kind.TIME
            ? instant.truncatedTo(ChronoUnit.SECONDS).toString()
            : MICROSECONDS.format(instant));
  }

  /** The first fields of a message that needs no tree of its own. */
  private static final class Scalars {
    private static final int MOST = 4;

    private final long[] numbers = new long[MOST];
    private final byte[][] bytes = new byte[MOST][0];

    Scalars(CodedInputStream in) throws IOException {
      for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
        int number = WireFormat.getTagFieldNumber(tag);
        if (number >= MOST) {
          in.skipField(tag);
        } else if (WireFormat.getTagWireType(tag) == WireFormat.WIRETYPE_LENGTH_DELIMITED) {
          bytes[number] = in.readByteArray();
        } else {
          numbers[number] = in.readInt64();
        }
      }
    }

    long number(int field) {
      return numbers[field];
    }

    byte[] bytes(int field) {
      return bytes[field];
    }

    String text(int field) {
      return new String(bytes[field], java.nio.charset.StandardCharsets.UTF_8);
    }
  }
}
