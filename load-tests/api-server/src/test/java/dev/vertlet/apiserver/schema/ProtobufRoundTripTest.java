package dev.vertlet.apiserver.schema;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.Message;
import dev.vertlet.apiserver.api.Json;
import dev.vertlet.apiserver.schema.Shape.Cardinality;
import dev.vertlet.apiserver.schema.Shape.Field;
import dev.vertlet.apiserver.schema.Shape.Slot;
import dev.vertlet.testsupport.Seeds;
import io.kubernetes.client.proto.V1;
import java.time.Instant;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Objects with any fields at all survive the way through protobuf. */
class ProtobufRoundTripTest {
  private static Shape shape(String apiVersion, String kind) {
    return Schemas.standard().find(apiVersion, kind).orElseThrow();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "v1 Pod",
        "v1 Node",
        "v1 Event",
        "v1 ConfigMap",
        "v1 Secret",
        "v1 Service",
        "v1 ServiceAccount",
        "v1 Namespace",
        "v1 Status",
        "v1 DeleteOptions",
        "policy/v1 PodDisruptionBudget",
        "coordination.k8s.io/v1 Lease",
        "events.k8s.io/v1 Event"
      })
  void whatIsWrittenIsRead(String type) throws Exception {
    String[] parts = type.split(" ");
    Shape shape = shape(parts[0], parts[1]);
    for (long seed : Seeds.range(50, 200).toArray()) {
      ObjectNode object = new Generator(new SplittableRandom(seed)).object(shape, 0);

      byte[] bytes = ProtobufWriter.message(shape, object);

      assertThat(ProtobufReader.message(shape, bytes)).as("seed %d", seed).isEqualTo(object);
      assertThat(FieldCheck.prune(shape, object)).as("seed %d", seed).isEmpty();
    }
  }

  @Test
  void theOfficialParserKnowsEveryFieldOfAPod() throws Exception {
    for (long seed : Seeds.range(50, 200).toArray()) {
      ObjectNode pod = new Generator(new SplittableRandom(seed)).object(shape("v1", "Pod"), 0);

      DynamicMessage parsed =
          DynamicMessage.parseFrom(
              V1.Pod.getDescriptor(), ProtobufWriter.message(shape("v1", "Pod"), pod));

      assertNothingUnknown(parsed);
      assertThat(ProtobufReader.message(shape("v1", "Pod"), parsed.toByteArray()))
          .as("seed %d", seed)
          .isEqualTo(pod);
    }
  }

  private static void assertNothingUnknown(Message message) {
    assertThat(message.getUnknownFields().asMap()).isEmpty();
    for (Object value : message.getAllFields().values()) {
      for (Object item : value instanceof Collection<?> list ? list : List.of(value)) {
        if (item instanceof Message nested) {
          assertNothingUnknown(nested);
        }
      }
    }
  }

  @Test
  void aZeroCountsWhereJsonWouldShowIt() throws Exception {
    ObjectNode pod =
        Json.parse(
            """
            {"spec": {"terminationGracePeriodSeconds": 0, "hostNetwork": false,
              "containers": [{"tty": false, "securityContext": {"runAsUser": 0, "privileged": false},
                "livenessProbe": {"timeoutSeconds": 0}, "image": ""}]}}
            """);

    byte[] bytes = ProtobufWriter.message(shape("v1", "Pod"), pod);

    assertThat(ProtobufReader.message(shape("v1", "Pod"), bytes))
        .isEqualTo(
            Json.parse(
                """
                {"spec": {"terminationGracePeriodSeconds": 0,
                  "containers": [{"securityContext": {"runAsUser": 0, "privileged": false}, "livenessProbe": {}}]}}
                """));
  }

  @Test
  void envelopesAndFramesCarryTheirType() throws Exception {
    byte[] message = {1, 2, 3};

    byte[] envelope = ProtobufWriter.envelope("v1", "Pod", message);
    ProtobufReader.Envelope opened = ProtobufReader.open(envelope);

    assertThat(opened.apiVersion()).isEqualTo("v1");
    assertThat(opened.kind()).isEqualTo("Pod");
    assertThat(opened.message()).isEqualTo(message);
    byte[] frame = ProtobufWriter.frame("ADDED", envelope);
    assertThat(java.nio.ByteBuffer.wrap(frame).getInt()).isEqualTo(frame.length - Integer.BYTES);
  }

  /** Makes objects of a type with a random choice of fields. */
  private static final class Generator {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private static final int DEEPEST = 9;

    private final RandomGenerator random;

    Generator(RandomGenerator random) {
      this.random = random;
    }

    ObjectNode object(Shape shape, int depth) {
      ObjectNode object = Json.object();
      for (Slot slot : new TreeMap<>(shape.jsonFields()).values()) {
        boolean wanted = depth < DEEPEST && random.nextInt(depth < 2 ? 2 : 5) == 0;
        if (wanted) {
          put(object, slot, depth);
        }
      }
      return object;
    }

    private void put(ObjectNode object, Slot slot, int depth) {
      Field field = slot.field();
      int count = 1 + random.nextInt(3);
      if (field.cardinality() == Cardinality.LIST) {
        for (int i = 0; i < count; i++) {
          object.withArray(field.name()).add(value(slot, depth));
        }
      } else if (field.cardinality() == Cardinality.MAP) {
        for (int i = 0; i < count; i++) {
          object.withObject("/" + field.name()).set("key" + i, value(slot, depth));
        }
      } else {
        object.set(field.name(), value(slot, depth));
      }
    }

    private JsonNode value(Slot slot, int depth) {
      return switch (slot.field().kind()) {
        case STRING -> NODES.textNode("text-ü-" + random.nextInt(1000));
        case BOOLEAN -> NODES.booleanNode(true); // zeros have a test of their own
        case INT32 -> NODES.numberNode(random.nextBoolean() ? -3 : random.nextInt(1, 1000));
        case INT64 ->
            random.nextBoolean()
                ? NODES.numberNode(random.nextInt(1, 1000))
                : NODES.numberNode(1L << 40 | random.nextInt(1000));
        case DOUBLE -> NODES.numberNode(random.nextDouble());
        case BYTES -> NODES.textNode(Base64.getEncoder().encodeToString(bytes()));
        case TIME -> NODES.textNode(Instant.ofEpochSecond(random.nextInt(1, 1 << 30)).toString());
        case MICRO_TIME ->
            NODES.textNode("2026-01-02T03:04:05.%06dZ".formatted(random.nextInt(1_000_000)));
        case QUANTITY -> NODES.textNode(random.nextInt(1000) + "Mi");
        case INT_OR_STRING ->
            random.nextBoolean()
                ? NODES.numberNode(random.nextInt(1000))
                : NODES.textNode(String.format(Locale.ROOT, "%d%%", random.nextInt(100)));
        case RAW -> Json.object().put("f:a", random.nextInt(10));
        case MESSAGE, INLINE -> object(slot.shape(), depth + 1);
      };
    }

    private byte[] bytes() {
      byte[] bytes = new byte[1 + random.nextInt(300)];
      random.nextBytes(bytes);
      return bytes;
    }
  }
}
