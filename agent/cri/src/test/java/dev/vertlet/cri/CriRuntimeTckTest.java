package dev.vertlet.cri;

import dev.vertlet.provider.ProviderFactory;
import dev.vertlet.tck.ContainerRuntimeTck;
import dev.vertlet.testsupport.BusyboxRegistry;
import dev.vertlet.testsupport.Waits;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** The promises of the SPI, on a real container runtime. */
final class CriRuntimeTckTest extends ContainerRuntimeTck {
  @SuppressWarnings("NullAway.Init") // set before all tests
  private static Path socket;

  @SuppressWarnings("NullAway.Init") // set before all tests
  private static Vertx vertx;

  @SuppressWarnings("NullAway.Init") // set before all tests
  private static BusyboxRegistry registry;

  @TempDir
  @SuppressWarnings("NullAway.Init") // set before all tests
  static Path directory;

  @BeforeAll
  static void openRegistry() throws IOException {
    socket = ContainerRuntimes.socket();
    vertx = Vertx.vertx();
    registry = new BusyboxRegistry(vertx);
  }

  @AfterAll
  static void closeRegistry() {
    if (registry != null) {
      Leftovers.remove(vertx, socket, directory);
      registry.close();
      Waits.get(vertx.close());
    }
  }

  @Override
  protected ProviderFactory factory() {
    return new CriFactory();
  }

  @Override
  protected JsonObject settings() {
    return new JsonObject()
        .put("socket", socket.toString())
        .put("cgroupRoot", "")
        .put("logsDir", directory.resolve("logs").toString());
  }

  @Override
  protected JsonObject runningSpec() {
    JsonObject spec = super.runningSpec();
    spec.getJsonArray("containers")
        .getJsonObject(0)
        .put("image", registry.image())
        .put(
            "command",
            new JsonArray()
                .add("sh")
                .add("-c")
                .add("trap 'exit 0' TERM; echo up; echo down >&2; sleep 3600 & wait"));
    return spec;
  }

  @Override
  protected Duration patience() {
    return Duration.ofMinutes(2);
  }

  /** A sandbox costs a hundred milliseconds of CPU. */
  @Override
  protected int crowd() {
    return 5;
  }
}
