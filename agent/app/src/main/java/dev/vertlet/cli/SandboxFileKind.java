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
    OptionalModule.SANDBOX.require("a " + name());
    SandboxConfig config = SandboxConfig.read(file);
    return config.pools().size() + " pools of " + config.pods() + " pods";
  }
}
