package dev.vertlet.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.testsupport.Seeds;
import io.vertx.core.buffer.Buffer;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTreeDecoderTest {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  /** Texts that look like what is cut, or end where they should not. */
  private static final String[] TEXTS = {
    "managedFields", "metadata", "\"managedFields\":[", "\\", "\\\"", "}", "]", "{", "[", ",", "é"
  };

  private record View(String name, JsonNode json) implements KubeObject {
    static View of(JsonNode json) {
      return new View(json.path("metadata").path("name").asText(), json);
    }

    @Override
    public String namespace() {
      return "";
    }

    @Override
    public String uid() {
      return name;
    }

    @Override
    public long resourceVersion() {
      return 1;
    }
  }

  private final JsonTreeDecoder<View> decoder = new JsonTreeDecoder<>(View::of);
  private final JsonTreeDecoder<View> lazy = JsonTreeDecoder.lazy(View::of);

  private WatchEvent<View> decode(String event) {
    return decoder.decodeEvent("application/json", Buffer.buffer(event));
  }

  private JsonNode modified(String object) {
    return modified(decoder, object);
  }

  private static JsonNode modified(JsonTreeDecoder<View> decoder, String object) {
    String event = "{\"type\":\"MODIFIED\",\"object\":" + object + "}\n";
    WatchEvent<View> decoded = decoder.decodeEvent("application/json", Buffer.buffer(event));
    return ((WatchEvent.Upsert<View>) decoded).object().json();
  }

  @Test
  void anEventHasAllOfItsObjectButManagedFields() {
    for (int seed = 0; seed < Seeds.count(300, 3000); seed++) {
      Random random = Seeds.random(seed);
      ObjectNode object = NODES.objectNode().put("kind", "Batch");
      ObjectNode metadata = object.putObject("metadata").put("name", "b");
      metadata.set("labels", value(random, 2));
      object.set("spec", value(random, 4));
      ObjectNode wanted = object.deepCopy();
      metadata.set("managedFields", NODES.arrayNode().add(value(random, 4)));
      metadata.set("after", NODES.numberNode(seed));
      ((ObjectNode) wanted.get("metadata")).put("after", seed);

      assertThat(modified(object.toString())).as("seed %d", seed).isEqualTo(wanted);
      assertThat(modified(lazy, object.toString())).as("seed %d", seed).isEqualTo(wanted);
    }
  }

  private static JsonNode value(Random random, int depth) {
    int kind = random.nextInt(depth == 0 ? 2 : 4);
    if (kind == 0) {
      return NODES.textNode(TEXTS[random.nextInt(TEXTS.length)]);
    }
    if (kind == 1) {
      return random.nextBoolean() ? NODES.nullNode() : NODES.numberNode(random.nextInt());
    }
    if (kind == 2) {
      ArrayNode list = NODES.arrayNode();
      for (int i = random.nextInt(4); i > 0; i--) {
        list.add(value(random, depth - 1));
      }
      return list;
    }
    ObjectNode map = NODES.objectNode();
    for (int i = random.nextInt(4); i > 0; i--) {
      map.set(TEXTS[random.nextInt(TEXTS.length)], value(random, depth - 1));
    }
    return map;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"metadata\":{\"name\":\"b\"},\"spec\":{\"a\":1,\"managedFields\":[1]}}",
        "{\"spec\":{\"metadata\":{\"a\":1,\"managedFields\":[1]}},\"metadata\":{\"name\":\"b\"}}",
        "{\"metadata\":{\"name\":\"b\",\"labels\":{\"a\":\"1\",\"managedFields\":\"[\"}}}",
        "{\"metadata\":{\"name\":\"b\",\"managedFields\":\"text\"}}",
        "{\"metadata\":{\"managedFields\":[1],\"name\":\"b\"}}"
      })
  void fieldsOfThatNameElsewhereStay(String object) {
    assertThat(modified(object)).hasToString(object);
  }

  @ParameterizedTest
  @ValueSource(strings = {"ADDED", "MODIFIED"})
  void parsesALazyObjectWhenAnotherFieldIsRead(String type) {
    String event =
        "{\"type\":\"%s\",\"object\":{\"metadata\":{\"name\":\"b\"},\"spec\":{\"a\":}}}"
            .formatted(type);
    WatchEvent<View> decoded = lazy.decodeEvent("application/json", Buffer.buffer(event));
    JsonNode object = ((WatchEvent.Upsert<View>) decoded).object().json();
    assertThat(object.path("metadata").path("name").asText()).isEqualTo("b");
    assertThatThrownBy(() -> object.path("spec")).isInstanceOf(DecodeException.class);
  }

  @Test
  void parsesALazyObjectOnce() {
    JsonNode object = modified(lazy, "{\"metadata\":{\"name\":\"b\"},\"spec\":{\"a\":1}}");
    assertThat(object.get("spec")).isSameAs(object.get("spec")).isNotNull();
  }

  @Test
  void aDeletionIsReadUpToItsMetadata() {
    String event =
        "{\"type\":\"DELETED\",\"object\":{\"metadata\":{\"name\":\"b\"},\"spec\":{\"a\":}}}";
    assertThat(decode(event))
        .isEqualTo(new WatchEvent.Deleted<>(new WatchEvent.Identity("", "b", "", 0)));
  }

  @Test
  void aLazyObjectKeepsWhatWasChangedInItsMetadata() {
    JsonNode object = modified(lazy, "{\"metadata\":{\"name\":\"b\"},\"spec\":{\"a\":1}}");
    ((ObjectNode) object.path("metadata")).put("name", "c");
    ((ObjectNode) object).put("kind", "Batch").remove("spec");
    assertThat(object).hasToString("{\"metadata\":{\"name\":\"c\"},\"kind\":\"Batch\"}");
  }

  @Test
  void aDeletionHasTheIdentityOfItsObject() {
    String object =
        "{\"kind\":\"Batch\",\"metadata\":{\"name\":\"b\",\"namespace\":\"n\",\"uid\":\"u\","
            + "\"resourceVersion\":\"7\",\"managedFields\":[{\"f\":{}}]},\"spec\":{}}";
    WatchEvent<View> deleted = new WatchEvent.Deleted<>(new WatchEvent.Identity("n", "b", "u", 7));
    assertThat(decode("{\"type\":\"DELETED\",\"object\":" + object + "}\n")).isEqualTo(deleted);
    assertThat(decode("{\"object\":" + object + ",\"type\":\"DELETED\"}\n")).isEqualTo(deleted);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"type\":\"DELETED\",\"object\":{\"kind\":\"Batch\"}}",
        "{\"type\":\"DELETED\",\"object\":{\"metadata\":{\"name\":\"b\"",
        "{\"type\":\"MODIFIED\",\"object\":{\"metadata\":{\"name\":\"b\",\"managedFields\":[",
        "{\"type\":\"MODIFIED\",\"object\":{\"metadata\":{\"name\":\"b\\",
        "\"",
        "{",
        ""
      })
  void refusesWhatIsNoEvent(String event) {
    assertThatThrownBy(() -> decode(event)).isInstanceOf(DecodeException.class);
  }
}
