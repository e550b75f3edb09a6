package dev.vertlet.harness.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.model.NodeDecoder;
import dev.vertlet.model.NodeView;
import io.vertx.core.json.JsonObject;
import org.junit.jupiter.api.Test;

class NodeConfigsTest {
  private final NodeConfigs configs = new NodeConfigs();

  private static NodeView node(String name, String status) {
    return NodeDecoder.decode(
        new JsonObject()
            .put(
                "metadata",
                new JsonObject()
                    .put("name", name)
                    .put("annotations", new JsonObject().put("vertlet.dev/config-status", status)))
            .toBuffer());
  }

  private static String runs(String version) {
    return "{\"active\":{\"configMap\":{\"resourceVersion\":\"%s\"}}}".formatted(version);
  }

  @Test
  void aNodeArrivesOnceWithTheVersionThatIsExpected() {
    configs.observe(node("a", runs("7")));
    assertThat(configs.isEmpty()).isTrue();
    assertThat(configs.arrived()).isEmpty();

    configs.expect("7");

    assertThat(configs.arrived()).as("faster than the answer").containsExactly("a");
    configs.observe(node("a", runs("7")));
    configs.observe(node("b", runs("6")));
    configs.observe(node("c", "{}"));
    configs.observe(node("d", "{"));
    configs.observe(node("e", "{\"active\":1}"));
    assertThat(configs.arrived()).isEmpty();
    configs.observe(node("b", runs("7")));
    assertThat(configs.arrived()).containsExactly("b");

    configs.expect("8");
    assertThat(configs.isEmpty()).isFalse();
    assertThat(configs.arrived()).isEmpty();
    configs.observe(node("a", runs("8")));
    assertThat(configs.arrived()).containsExactly("a");
  }
}
