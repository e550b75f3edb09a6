package dev.vertlet.harness.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.config.VertletConfig;
import dev.vertlet.harness.load.LoadPlan;
import dev.vertlet.harness.run.AgentSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class LoadExamplesTest {
  static Stream<Path> files() throws IOException {
    try (Stream<Path> files = Files.list(Path.of("..", "..", "conf", "examples", "load"))) {
      return files.filter(file -> file.toString().endsWith(".json")).sorted().toList().stream();
    }
  }

  @ParameterizedTest
  @MethodSource("files")
  void isAScenarioThatSaysWhatItIsFor(Path file) {
    Scenario scenario = ScenarioReader.read(file);

    assertThat(scenario.name() + ".json").isEqualTo(file.getFileName().toString());
    assertThat(scenario.description()).endsWith(".").hasSizeLessThanOrEqualTo(140);
    assertThat(scenario.mostPods()).isLessThan(1_000_000);
  }

  @ParameterizedTest
  @MethodSource("files")
  void anAgentHasRoomForIt(Path file) {
    LoadPlan plan = new LoadPlan(Path.of("/k"), "load-1", "ns", "sa", ScenarioReader.read(file));

    VertletConfig config =
        new AgentSettings(plan, Path.of("/k"), "fast", Path.of("/data"), 1234).config().config();

    assertThat(config.nodeSpecs()).hasSize(plan.nodes());
  }
}
