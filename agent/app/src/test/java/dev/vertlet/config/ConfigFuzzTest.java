package dev.vertlet.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.vertlet.config.document.ConfigException;
import dev.vertlet.problem.Problem;
import dev.vertlet.testsupport.Seeds;
import dev.vertlet.testsupport.fuzz.JsonFuzz;
import dev.vertlet.testsupport.fuzz.SchemaSample;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;

/** Whatever stands in the file: a configuration, or what is wrong with it in a line for each. */
class ConfigFuzzTest {
  /** Against a hang; the work itself takes a few seconds. */
  private static final Duration LIMIT = Duration.ofMinutes(30);

  /** A line that nobody reads to its end is none for people. */
  private static final int LONGEST = 2_000;

  private static List<JsonObject> documents() throws IOException {
    Path conf = Path.of("..", "..", "conf");
    List<JsonObject> documents = new ArrayList<>();
    JsonObject schema = new JsonObject(Files.readString(conf.resolve("vertlet.schema.json")));
    documents.add(SchemaSample.of(schema));
    documents.add(sound(SchemaSample.of(schema)));
    try (Stream<Path> files = Files.list(conf.resolve("examples"))) {
      for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
        documents.add(new JsonObject(Files.readString(file)));
      }
    }
    return documents;
  }

  /** Without what excludes something else, and without names of files. */
  private static JsonObject sound(JsonObject sample) {
    sample.remove("providers");
    sample.getJsonObject("stages").remove("files");
    sample.getJsonObject("lease").put("enabled", true);
    sample.getJsonObject("server").getJsonObject("tls").remove("serverTLSBootstrap");
    JsonObject node = sample.getJsonArray("nodes").getJsonObject(0);
    node.put("count", 3).remove("adopt");
    TestConfig.load(sample.encode());
    return sample;
  }

  @Test
  void isLoadedOrRefusedInALineForEachMistake() throws IOException {
    List<JsonObject> documents = documents();
    ConfigLoader loader = new ConfigLoader(TestConfig.environment(Map.of()));
    int[] refused = {0};
    int seeds = Seeds.count(160, 800);

    Assertions.assertTimeoutPreemptively(
        LIMIT,
        () -> {
          for (int seed = 0; seed < seeds; seed++) {
            Random random = Seeds.random(seed);
            JsonObject document = documents.get(random.nextInt(documents.size()));
            String text = new JsonFuzz(random).mutant(document);
            try {
              loader.parse("f.json", text, List.of());
            } catch (ConfigException e) {
              refused[0]++;
              explains(seed, e);
            } catch (Throwable e) {
              fail("seed %d: %s".formatted(seed, cut(text)), e);
            }
          }
        });

    assertThat(refused[0]).isBetween(seeds / 3, seeds - 1);
  }

  private static void explains(int seed, ConfigException refused) {
    assertThat(refused.problems()).as("seed %d", seed).isNotEmpty();
    for (Problem mistake : refused.problems()) {
      assertThat(mistake.allowed()).as("seed %d", seed).isNotBlank().doesNotContain("Exception");
      assertThat(mistake.toString())
          .as("seed %d", seed)
          .doesNotContainPattern("\\p{Cntrl}|[\u2028\u2029]")
          .hasSizeLessThan(LONGEST);
    }
  }

  private static String cut(String text) {
    return text.substring(0, Math.min(text.length(), 3_000));
  }
}
