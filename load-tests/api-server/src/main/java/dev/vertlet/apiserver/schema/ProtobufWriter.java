package dev.vertlet.apiserver.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.apiserver.api.Json;
import dev.vertlet.apiserver.schema.Shape.Cardinality;
import dev.vertlet.apiserver.schema.Shape.Field;
import dev.vertlet.apiserver.schema.Shape.Kind;
import dev.vertlet.apiserver.schema.Shape.Slot;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Writes JSON trees as protobuf in the envelopes of {@code
 * k8s.io/apimachinery/pkg/runtime/serializer/protobuf}.
 */
public final class ProtobufWriter {
  /** Starts every body; a {@code runtime.Unknown} follows. */
  private static final byte[] MAGIC = {'k', '8', 's', 0};

  private static final int VARINT = 0;
  private static final int FIXED64 = 1;
  private static final int DELIMITED = 2;

  /** {@code IntOrString.type} of a string; 0 is a number. */
  private static final int STRING_TYPE = 1;

  private final ReverseBuffer out = new ReverseBuffer();

  private ProtobufWriter() {}

  /** The message alone, without envelope. */
  public static byte[] message(Shape shape, JsonNode json) {
    ProtobufWriter writer = new ProtobufWriter();
    writer.fields(shape, json);
    return writer.out.toBytes();
  }

  /** A list of messages, without envelope; every Kubernetes list has the same two fields. */
  public static byte[] list(ObjectNode metadata, List<byte[]> items) {
    ProtobufWriter writer = new ProtobufWriter();
    for (int i = items.size() - 1; i >= 0; i--) {
      writer.delimited(2, items.get(i));
    }
    writer.delimited(1, message(Schemas.standard().listMeta(), metadata));
    return writer.out.toBytes();
  }

  /** A whole body: magic, {@code runtime.Unknown} with the type, the message. */
  public static byte[] envelope(String apiVersion, String kind, byte[] message) {
    ProtobufWriter writer = new ProtobufWriter();
    writer.delimited(4, new byte[0]); // contentType and contentEncoding are there and empty
    writer.delimited(3, new byte[0]);
    writer.delimited(2, message);
    int end = writer.out.size();
    writer.text(2, kind);
    writer.text(1, apiVersion);
    writer.close(1, end);
    writer.out.prepend(MAGIC);
    return writer.out.toBytes();
  }

  /** One frame of a watch: its length in four bytes, then a {@code metav1.WatchEvent}. */
  public static byte[] frame(String type, byte[] envelope) {
    ProtobufWriter writer = new ProtobufWriter();
    int end = writer.out.size();
    writer.delimited(1, envelope);
    writer.close(2, end);
    writer.text(1, type);
    int length = writer.out.size();
    writer.out.prepend(
        new byte[] {
          (byte) (length >>> 24), (byte) (length >>> 16), (byte) (length >>> 8), (byte) length
        });
    return writer.out.toBytes();
  }

  private void fields(Shape shape, JsonNode json) {
    List<Slot> slots = shape.slots();
    for (int i = slots.size() - 1; i >= 0; i--) {
      Slot slot = slots.get(i);
      Field field = slot.field();
      if (field.kind() == Kind.INLINE) {
        inlined(slot, json);
        continue;
      }
      JsonNode value = json.get(field.name());
      if (value == null || value.isNull()) {
        continue;
      }
      if (field.cardinality() == Cardinality.MAP) {
        map(slot, value);
      } else if (field.cardinality() == Cardinality.LIST) {
        for (int item = value.size() - 1; item >= 0; item--) {
          value(slot, field.number(), value.get(item));
        }
      } else {
        value(slot, field.number(), value);
      }
    }
  }

  private void inlined(Slot slot, JsonNode parent) {
    int end = out.size();
    fields(slot.shape(), parent);
    if (out.size() > end) {
      close(slot.field().number(), end);
    }
  }

  private void map(Slot slot, JsonNode map) {
    List<Map.Entry<String, JsonNode>> entries = new ArrayList<>(map.properties());
    for (int i = entries.size() - 1; i >= 0; i--) {
      int end = out.size();
      value(slot, 2, entries.get(i).getValue());
      text(1, entries.get(i).getKey());
      close(slot.field().number(), end);
    }
  }

  private void value(Slot slot, int number, JsonNode value) {
    switch (slot.field().kind()) {
      case STRING -> text(number, value.asText());
      case BOOLEAN -> varint(number, value.asBoolean() ? 1 : 0);
      case INT32, INT64 -> varint(number, value.asLong());
      case DOUBLE -> {
        out.fixed64(Double.doubleToRawLongBits(value.asDouble()));
        tag(number, FIXED64);
      }
      case BYTES -> delimited(number, bytes(value));
      default -> {
        int end = out.size();
        structured(slot, value);
        close(number, end);
      }
    }
  }

  private static byte[] bytes(JsonNode value) {
    try {
      return GoBase64.decode(value.asText());
    } catch (GoBase64.CorruptException e) {
      throw new IllegalStateException("what was stored passed the check of its fields", e);
    }
  }

  private void structured(Slot slot, JsonNode value) {
    switch (slot.field().kind()) {
      case TIME, MICRO_TIME -> {
        OffsetDateTime time = OffsetDateTime.parse(value.asText());
        varint(2, time.getNano());
        varint(1, time.toEpochSecond());
      }
      case QUANTITY -> text(1, value.asText());
      case RAW -> delimited(1, Json.bytes(value));
      case INT_OR_STRING -> {
        text(3, value.isTextual() ? value.asText() : "");
        varint(2, value.isTextual() ? 0 : value.asLong());
        varint(1, value.isTextual() ? STRING_TYPE : 0);
      }
      default -> fields(slot.shape(), value);
    }
  }

  private void text(int number, String text) {
    int end = out.size();
    out.prepend(text);
    close(number, end);
  }

  private void delimited(int number, byte[] bytes) {
    int end = out.size();
    out.prepend(bytes);
    close(number, end);
  }

  /** Puts length and tag before what was written since {@code end}. */
  private void close(int number, int end) {
    out.varint(out.size() - end);
    tag(number, DELIMITED);
  }

  private void varint(int number, long value) {
    out.varint(value);
    tag(number, VARINT);
  }

  private void tag(int number, int wireType) {
    out.varint(((long) number << 3) | wireType);
  }
}
