package dev.vertlet.process;

import dev.vertlet.provider.ProviderFactory;
import dev.vertlet.tck.ContainerRuntimeTck;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@EnabledOnOs(OS.LINUX)
final class ProcessRuntimeTckTest extends ContainerRuntimeTck {
  @TempDir
  @SuppressWarnings("NullAway.Init") // set before each test
  Path directory;

  @AfterEach
  void endContainers() throws IOException {
    ContainersOfTests.endAll(directory.resolve("s"));
  }

  @Override
  protected ProviderFactory factory() {
    return new ProcessFactory();
  }

  @Override
  protected JsonObject settings() {
    return new JsonObject()
        .put("directory", directory.toString())
        .put("allowRoot", true)
        .put("cgroup", "")
        .put(
            "images",
            new JsonArray()
                .add(new JsonObject().put("pattern", "example.com/*").put("root", "host")));
  }

  @Override
  protected JsonObject runningSpec() {
    JsonObject spec = super.runningSpec();
    spec.getJsonArray("containers")
        .getJsonObject(0)
        .put(
            "command",
            new JsonArray().add("sh").add("-c").add("echo up; echo down >&2; exec sleep 3600"));
    return spec;
  }

  /** Pods have the addresses of their node, as on the host network. */
  @Override
  protected boolean ownAddresses() {
    return false;
  }
}
