package dev.vertlet.harness.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.model.node.NodeDecoder;
import dev.vertlet.model.node.NodeView;
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
    assertThat(configs.observe(node("a", runs("7")))).isFalse();
    assertThat(configs.isEmpty()).isTrue();

    assertThat(configs.expect("7")).as("faster than the answer: a").isEqualTo(1);

    assertThat(configs.observe(node("a", runs("7")))).isFalse();
    assertThat(configs.observe(node("b", runs("6")))).isFalse();
    assertThat(configs.observe(node("c", "{}"))).isFalse();
    assertThat(configs.observe(node("d", "{"))).isFalse();
    assertThat(configs.observe(node("e", "{\"active\":1}"))).isFalse();
    assertThat(configs.observe(node("b", runs("7")))).isTrue();

    assertThat(configs.expect("8")).isZero();
    assertThat(configs.isEmpty()).isFalse();
    assertThat(configs.observe(node("b", runs("7")))).isFalse();
    assertThat(configs.observe(node("a", runs("8")))).isTrue();
  }
}
