package dev.vertlet.payload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.fail;

import dev.vertlet.config.LoadedConfig;
import dev.vertlet.kubeletconfig.FeatureGates;
import dev.vertlet.kubeletconfig.KubeletField;
import dev.vertlet.kubeletconfig.KubeletFields;
import dev.vertlet.kubeletconfig.KubeletValues;
import dev.vertlet.kubeletconfig.Places;
import dev.vertlet.kubeletconfig.validation.KubeletRules;
import dev.vertlet.testsupport.Seeds;
import dev.vertlet.testsupport.fuzz.JsonFuzz;
import dev.vertlet.testsupport.fuzz.SchemaSample;
import dev.vertlet.testsupport.fuzz.YamlBombs;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever stands in a ConfigMap: what nodes can run by, or why they cannot. */
class PayloadFuzzTest {
  /** Against a hang; the work itself takes a few seconds. */
  private static final Duration LIMIT = Duration.ofMinutes(30);

  /** Of the line in the log, however many mistakes there are. */
  private static final int LONGEST = 100_000;

  private static final LoadedConfig LOCAL =
      Locals.load(
          """
          {"nodes": [{"name": "a{i}", "count": 2}, {"name": "b", "labels": {"x": "y"}}],
           "simulated": {"rules": [{"name": "slow", "startDelay": "1s"}]}}\
          """);

  /** What a field may have, one of which each does. */
  private static final List<Object> VALUES =
      List.of(
          false,
          10_250,
          5,
          0.8,
          "10s",
          "1Mi",
          "text",
          new JsonArray().add("10.0.0.10"),
          new JsonArray().add(1),
          new JsonArray().add(new JsonObject().put("limits", new JsonObject())),
          new JsonObject().put("cpu", "100m"),
          new JsonObject().put("ContainerCheckpoint", true),
          new JsonObject().put("header", new JsonArray().add("x")));

  static List<JsonObject> documents() throws IOException {
    JsonObject fields = new JsonObject();
    for (KubeletField field : KubeletFields.all().values()) {
      sample(fields, field).ifPresent(value -> Places.put(fields, field.path(), value));
    }
    JsonObject schema =
        new JsonObject(Files.readString(Path.of("..", "..", "conf", "vertlet.schema.json")));
    JsonObject sample = SchemaSample.of(schema);
    JsonObject node = sample.getJsonArray("nodes").getJsonObject(0);
    JsonObject sections =
        new JsonObject()
            .put("kubelet", new JsonObject().put("maxPods", 50).put("syncFrequency", "30s"))
            .put("node", only(node, "node"))
            .put("provider", only(sample, "provider"))
            .put("agent", only(sample.getJsonObject("agent"), "agent"));
    return List.of(kubelet(fields), kubelet(few()), vertlet(sections));
  }

  private static JsonObject few() {
    return new JsonObject()
        .put("maxPods", 40)
        .put("evictionHard", new JsonObject().put("memory.available", "5%"))
        .put("staticPodPath", "pods")
        .put("featureGates", new JsonObject().put("ContainerCheckpoint", false))
        .put("clusterDNS", new JsonArray().add("10.0.0.10"))
        .put("nodeLeaseDurationSeconds", 40);
  }

  /** A value that suits the others. */
  private static Optional<Object> sample(JsonObject others, KubeletField field) {
    return VALUES.stream().filter(value -> suits(others.copy(), field, value)).findFirst();
  }

  private static boolean suits(JsonObject others, KubeletField field, Object value) {
    Places.put(others, field.path(), value);
    KubeletValues values = KubeletValues.read(others);
    return values.set().containsKey(field)
        && values.wrong().isEmpty()
        && KubeletRules.broken(values.set(), FeatureGates.DEFAULTS).isEmpty();
  }

  private static JsonObject only(JsonObject of, String section) {
    JsonObject kept = new JsonObject();
    PayloadReader.known(section).stream()
        .filter(of::containsKey)
        .forEach(key -> kept.put(key, of.getValue(key)));
    return kept;
  }

  private static JsonObject kubelet(JsonObject fields) {
    return fields
        .put("apiVersion", "kubelet.config.k8s.io/v1beta1")
        .put("kind", "KubeletConfiguration");
  }

  private static JsonObject vertlet(JsonObject sections) {
    return sections.put("apiVersion", "vertlet.dev/v1alpha1").put("kind", "VertletConfiguration");
  }

  /**
   * @throws PayloadException as it may
   */
  static void use(long seed, List<JsonObject> documents) {
    Random random = Seeds.random(seed);
    String text = new JsonFuzz(random).mutant(documents.get(random.nextInt(documents.size())));
    NodeConfigs.Plan plan = new NodeConfigs(LOCAL).plan(PayloadReader.read(text, Locals.DIRECTORY));
    for (String node : List.of("a0", "a1", "b")) {
      NodeConfig config = plan.node(node);
      assertThat(config.changed(new NodeConfigs(LOCAL).local(node))).isNotNull();
    }
  }

  @Test
  void isUsedOrRefused() throws IOException {
    List<JsonObject> documents = documents();
    int seeds = Seeds.count(80, 400);
    int[] refused = {0};

    Assertions.assertTimeoutPreemptively(
        LIMIT,
        () -> {
          for (int seed = 0; seed < seeds; seed++) {
            try {
              use(seed, documents);
            } catch (PayloadException e) {
              refused[0]++;
              assertThat(e.getMessage())
                  .as("seed %d", seed)
                  .isNotBlank()
                  .doesNotContainPattern("\\p{Cntrl}|[\u2028\u2029]")
                  .hasSizeLessThan(LONGEST);
            } catch (Throwable e) {
              fail("seed %d".formatted(seed), e);
            }
          }
        });

    assertThat(refused[0]).isBetween(seeds / 3, seeds - 1);
  }

  static Stream<Arguments> bombs() {
    return YamlBombs.all().entrySet().stream()
        .map(bomb -> Arguments.of(bomb.getKey(), bomb.getValue()));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("bombs")
  void whatGrowsIsRefusedInOneLine(String name, String text) {
    assertThatExceptionOfType(PayloadException.class)
        .isThrownBy(() -> PayloadReader.read(text, Locals.DIRECTORY))
        .satisfies(e -> assertThat(e.reason()).isEqualTo(PayloadException.Reason.LOAD))
        .withMessageMatching("(has (more than|an alias that) |is neither YAML nor JSON).*");
  }

  /** Warnings of the one kind are problems of the other; the log has either in one line. */
  @Test
  void manyUnknownFieldsMakeALineThatCanBeRead() {
    StringBuilder fields = new StringBuilder();
    for (int i = 0; i < 40_000; i++) {
      fields.append("unknown").append(i).append(": 0\n");
    }

    Payload payload =
        PayloadReader.read(
            "apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\n" + fields,
            Locals.DIRECTORY);

    assertThat(payload.warnings()).hasSize(51).endsWith("and 39950 more");
    assertThatExceptionOfType(PayloadException.class)
        .isThrownBy(
            () ->
                PayloadReader.read(
                    "apiVersion: vertlet.dev/v1alpha1\nkind: VertletConfiguration\n" + fields,
                    Locals.DIRECTORY))
        .satisfies(e -> assertThat(e.getMessage()).hasSizeLessThan(LONGEST))
        .withMessageEndingWith("; and 39950 more");
  }
}
