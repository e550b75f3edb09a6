package dev.vertlet.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ExamplesTest {
  private static final Path CONF = Path.of("..", "..", "conf");

  static Stream<Path> files() throws IOException {
    try (Stream<Path> examples = Files.list(CONF.resolve("examples"))) {
      return Stream.concat(
          Stream.of(CONF.resolve("vertlet.json")),
          examples.filter(Files::isRegularFile).sorted().toList().stream());
    }
  }

  @ParameterizedTest
  @MethodSource("files")
  void runsAsItIsOutsideACluster(Path file) {
    LoadedConfig loaded =
        new ConfigLoader(TestConfig.environment(Map.of("STAGES", "../../conf/examples/stages")))
            .load(file, List.of());

    int nodes = loaded.config().nodes().size() + loaded.config().adopt().size();
    assertThat(nodes).isPositive();
    assertThat(loaded.warnings()).isEmpty();
  }
}
