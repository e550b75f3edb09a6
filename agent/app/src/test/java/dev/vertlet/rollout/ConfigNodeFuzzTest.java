package dev.vertlet.rollout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.configsync.ConfigAnnotations;
import dev.vertlet.testsupport.Seeds;
import dev.vertlet.testsupport.fuzz.JsonFuzz;
import io.vertx.core.json.JsonObject;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Whatever a Node's annotations say, {@code config status} and a rollout can tell of it. */
class ConfigNodeFuzzTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final ConfigSource WANTED = new ConfigSource("ns", "c1", "kubelet");
  private static final JsonObject MAP =
      new JsonObject(
          """
          {"configMap": {"namespace": "ns", "name": "c1", "uid": "u", "resourceVersion": "7",
           "kubeletConfigKey": "kubelet"}}""");
  private static final JsonObject STATUS =
      new JsonObject().put("assigned", MAP).put("active", MAP).put("error", "");
  private static final JsonObject DETAIL =
      new JsonObject()
          .put("observedSourceHash", WANTED.observedHash())
          .put("trialEndsAt", "2026-01-01T00:00:00Z")
          .put("ignoredFields", MAP.fieldNames().stream().toList());

  private static ConfigNode node(long seed) {
    Random random = Seeds.random(seed);
    JsonFuzz fuzz = new JsonFuzz(random);
    ObjectNode node = JSON.createObjectNode();
    ObjectNode annotations = node.putObject("metadata").put("name", "a").putObject("annotations");
    annotations.put(ConfigAnnotations.SOURCE, fuzz.mutant(MAP));
    annotations.put(ConfigAnnotations.STATUS, fuzz.mutant(STATUS));
    annotations.put(ConfigAnnotations.DETAIL, fuzz.mutant(DETAIL));
    annotations.put(ConfigNode.BEFORE, fuzz.text("null"));
    return new ConfigNode(node);
  }

  @Test
  void isShownWhateverItSays() {
    int sources = 0;
    for (long seed = 0; seed < Seeds.count(200, 1_000); seed++) {
      ConfigNode node = node(seed);
      try {
        sources += node.source() == null ? 0 : 1;
        assertThat(node.progress(WANTED)).isNotNull();
        assertThat(node.progress(null)).isNotNull();
        assertThat(node.lines()).isNotEmpty();
      } catch (Throwable e) {
        fail("seed %d: %s".formatted(seed, node.object()), e);
      }
    }
    assertThat(sources).isPositive();
  }
}
