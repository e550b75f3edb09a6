package dev.vertlet.remote;

import dev.vertlet.remote.client.BackendContainersTck;
import io.vertx.core.json.JsonObject;
import org.junit.jupiter.api.AfterEach;

/** The provider keeps every promise of single containers, with the reference back end behind it. */
class ReferenceContainersTckTest extends BackendContainersTck {
  private final ReferenceBackend backend = ReferenceBackend.start("containers.py");

  @AfterEach
  void endBackend() throws InterruptedException {
    backend.close();
  }

  @Override
  protected JsonObject settings() {
    return backend.settings().put("level", "containers").put("resize", true);
  }
}
