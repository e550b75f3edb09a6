package dev.vertlet.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.config.ConfigLoader;
import dev.vertlet.config.LoadedConfig;
import dev.vertlet.config.process.Environment;
import dev.vertlet.config.process.Host;
import io.vertx.core.Future;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AgentSessionTest {
  private static final Host HOST =
      new Host("host-1", "192.0.2.7", "Debian", "6.1", 4, Path.of("/home/me"), false);

  @TempDir private Path folder;

  @Test
  void stopsNothingAfterAFailedStart() throws Exception {
    String config = "{\"agent\": {\"dataDir\": \"%s\"}}".formatted(folder.resolve("data"));
    LoadedConfig loaded =
        new ConfigLoader(new Environment(Map.of(), HOST)).parse("test", config, List.of());

    try (AgentSession session =
        AgentSession.open(
            loaded, (file, vertx, metrics, exit) -> Future.failedFuture("port taken"))) {
      assertThat(session.started()).isCompletedExceptionally();
      assertThat(session.stop()).isTrue();
    }
  }
}
