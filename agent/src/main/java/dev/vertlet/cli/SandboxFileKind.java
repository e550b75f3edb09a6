package dev.vertlet.cli;

import dev.vertlet.sandboxes.SandboxConfig;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;

/** The configuration file of {@code vertlet sandbox serve}. */
public final class SandboxFileKind implements FileKind {
  @Override
  public String name() {
    return "configuration of sandbox pools";
  }

  @Override
  public boolean matches(JsonObject document) {
    return document.containsKey("pools");
  }

  @Override
  public String check(Path file) {
    SandboxConfig config = SandboxConfig.read(file);
    int pods = config.pools().stream().mapToInt(pool -> pool.size()).sum();
    return config.pools().size() + " pools of " + pods + " pods";
  }
}
