package dev.vertlet.harness.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vertlet.cli.FileKind;
import dev.vertlet.config.document.ConfigException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ScenarioFileTest {
  private static final Path CONF = Path.of("..", "..", "conf");

  @TempDir private Path dir;

  private String check(String json) throws Exception {
    Path file = Files.writeString(dir.resolve("mine.json"), json);
    return FileKind.of(file).orElseThrow().check(file);
  }

  @Test
  void scenariosAreToldFromConfigurationsByTheirPhases() throws Exception {
    try (Stream<Path> files = Files.list(CONF.resolve("examples/load"))) {
      List<Path> scenarios = files.filter(file -> file.toString().endsWith(".json")).toList();

      assertThat(scenarios)
          .isNotEmpty()
          .allSatisfy(file -> assertThat(FileKind.of(file)).isPresent());
    }
    assertThat(FileKind.of(CONF.resolve("vertlet.json"))).isEmpty();
    assertThat(FileKind.of(dir.resolve("no-such.json"))).isEmpty();
    assertThat(FileKind.of(Files.writeString(dir.resolve("broken.json"), "{"))).isEmpty();
  }

  @Test
  void aGoodOneIsToldInOneLine() throws Exception {
    assertThat(
            check(
                """
                {"nodes": 1, "phases": [{"name": "up", "create": {"pods": 1500}}],
                 "faults": [{"at": "1s", "cutWatches": {}}, {"at": "2s", "cutWatches": {}}]}
                """))
        .isEqualTo(
            "scenario mine: 1 node, 1 phase, up to 1,500 pods at a time, 2 faults, 0 thresholds");
  }

  @Test
  void mistakesHaveTheirPointers() {
    assertThatThrownBy(
            () -> check("{\"nodes\": 0, \"phases\": [{\"name\": \"up\", \"hold\": \"soon\"}]}"))
        .isInstanceOfSatisfying(
            ConfigException.class,
            e ->
                assertThat(e.problems())
                    .extracting(mistake -> mistake.pointer())
                    .contains("/nodes", "/phases/0/hold"));
    assertThatThrownBy(
            () ->
                check(
                    """
                    {"nodes": 1, "phases": [{"name": "up", "create": {"pods": 1}}],
                     "thresholds": [{"figure": "lost", "max": 0},
                                    {"figure": "phases.up.create.p98_ms", "max": 1}]}
                    """))
        .isInstanceOfSatisfying(
            ConfigException.class,
            e ->
                assertThat(e.problems())
                    .singleElement()
                    .asString()
                    .startsWith(
                        "/thresholds/1/figure: \"phases.up.create.p98_ms\" is no figure of a result"
                            + " (\"create\" has count, p50_ms, "));
  }
}
