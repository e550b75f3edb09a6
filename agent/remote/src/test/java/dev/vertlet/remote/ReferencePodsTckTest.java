package dev.vertlet.remote;

import dev.vertlet.remote.client.BackendPodsTck;
import io.vertx.core.json.JsonObject;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** The provider keeps every promise of whole pods, with a reference back end behind it. */
@ParameterizedClass
@ValueSource(strings = {"pods.py", "pods.mjs"})
class ReferencePodsTckTest extends BackendPodsTck {
  private final ReferenceBackend backend;

  ReferencePodsTckTest(String file) {
    backend = ReferenceBackend.start(file);
  }

  @AfterEach
  void endBackend() throws InterruptedException {
    backend.close();
  }

  @Override
  protected JsonObject settings() {
    return backend.settings();
  }
}
