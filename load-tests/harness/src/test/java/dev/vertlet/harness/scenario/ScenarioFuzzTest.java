package dev.vertlet.harness.scenario;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.vertlet.config.document.ConfigException;
import dev.vertlet.problem.Problem;
import dev.vertlet.testsupport.Seeds;
import dev.vertlet.testsupport.fuzz.JsonFuzz;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Whatever stands in a scenario's file: a scenario, or what is wrong in a line for each mistake.
 */
class ScenarioFuzzTest {
  /** Against a hang; the work itself takes a few seconds. */
  private static final Duration LIMIT = Duration.ofMinutes(30);

  @TempDir private Path dir;

  @Test
  void isReadOrRefusedInALineForEachMistake() throws IOException {
    List<Path> files = LoadExamplesTest.files().toList();
    Path file = dir.resolve("mine.json");
    int seeds = Seeds.count(100, 500);
    int[] refused = {0};

    Assertions.assertTimeoutPreemptively(
        LIMIT,
        () -> {
          for (int seed = 0; seed < seeds; seed++) {
            Random random = Seeds.random(seed);
            JsonObject example =
                new JsonObject(Files.readString(files.get(random.nextInt(files.size()))));
            Files.write(file, new JsonFuzz(random).mutant(example).getBytes(UTF_8));
            try {
              Scenario scenario = ScenarioReader.read(file);
              assertThat(scenario.mostPods()).as("seed %d", seed).isNotNegative();
            } catch (ConfigException e) {
              refused[0]++;
              explains(seed, e);
            } catch (Throwable e) {
              fail("seed %d".formatted(seed), e);
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
          .hasSizeLessThan(2_000);
    }
  }
}
