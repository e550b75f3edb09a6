package dev.vertlet.model.wire;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import dev.vertlet.model.pod.PodView;
import io.kubernetes.client.proto.Runtime;
import io.kubernetes.client.proto.V1;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Map;
import java.util.Set;

/**
 * Pods that a test writes in JSON, in either encoding: protobuf is written by another
 * implementation and framed as the API server frames it.
 */
public final class EncodedPods {
  private static final byte[] MAGIC = {'k', '8', 's', 0};
  private static final String METADATA =
      "{\"name\": \"p\", \"namespace\": \"ns\", \"uid\": \"u\", \"resourceVersion\": \"7\"}";

  private EncodedPods() {}

  /** The pod {@code ns/p} with this spec, decoded. */
  public static PodView withSpec(String contentType, String spec) {
    return decode(contentType, "{\"metadata\": %s, \"spec\": %s}".formatted(METADATA, spec));
  }

  /** A pod, decoded from a list of it in this encoding. */
  static PodView decode(String contentType, String pod) {
    JsonObject list =
        new JsonObject()
            .put("kind", "PodList")
            .put("metadata", new JsonObject().put("resourceVersion", "9"))
            .put("items", new JsonArray().add(new JsonObject(pod)));
    byte[] bytes =
        contentType.equals(Fixtures.JSON) ? list.encode().getBytes(UTF_8) : protobuf(list);
    return new PodDecoder().decodeList(contentType, Buffer.buffer(bytes)).items().get(0);
  }

  private static byte[] protobuf(JsonObject pods) {
    V1.PodList.Builder list = V1.PodList.newBuilder();
    fill(list, pods);
    Runtime.Unknown envelope =
        Runtime.Unknown.newBuilder()
            .setTypeMeta(Runtime.TypeMeta.newBuilder().setApiVersion("v1").setKind("PodList"))
            .setRaw(list.build().toByteString())
            .build();
    return Buffer.buffer(MAGIC).appendBytes(envelope.toByteArray()).getBytes();
  }

  private static void fill(Message.Builder to, JsonObject from) {
    for (Map.Entry<String, Object> entry : from) {
      String name = entry.getKey();
      FieldDescriptor field = to.getDescriptorForType().findFieldByName(name);
      if (field != null) {
        set(to, field, entry.getValue());
      } else if (!Set.of("kind", "apiVersion").contains(name)) {
        // what is inlined in JSON has a message of its own in protobuf
        FieldDescriptor around = around(to.getDescriptorForType(), name);
        fill(to.getFieldBuilder(around), new JsonObject().put(name, entry.getValue()));
      }
    }
  }

  private static FieldDescriptor around(Descriptor type, String name) {
    return type.getFields().stream()
        .filter(field -> field.getJavaType() == FieldDescriptor.JavaType.MESSAGE)
        .filter(
            field -> !field.isRepeated() && field.getMessageType().findFieldByName(name) != null)
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException(type.getName() + " has no " + name));
  }

  private static void set(Message.Builder to, FieldDescriptor field, Object value) {
    if (field.isMapField()) {
      for (Map.Entry<String, Object> entry : (JsonObject) value) {
        Message.Builder pair = to.newBuilderForField(field);
        fill(pair, new JsonObject().put("key", entry.getKey()).put("value", entry.getValue()));
        to.addRepeatedField(field, pair.build());
      }
    } else if (field.isRepeated()) {
      for (Object each : (JsonArray) value) {
        to.addRepeatedField(field, single(to, field, each));
      }
    } else {
      to.setField(field, single(to, field, value));
    }
  }

  private static Object single(Message.Builder to, FieldDescriptor field, Object value) {
    if (field.getJavaType() == FieldDescriptor.JavaType.MESSAGE) {
      Message.Builder message = to.newBuilderForField(field);
      // a quantity is a mere string in JSON
      fill(message, value instanceof JsonObject all ? all : new JsonObject().put("string", value));
      return message.build();
    }
    return switch (field.getJavaType()) {
      case INT -> ((Number) value).intValue();
      case LONG -> ((Number) value).longValue();
      default -> value;
    };
  }
}
