package dev.vertlet.remote;

import dev.vertlet.provider.ProviderFactory;
import dev.vertlet.tck.PodProviderTck;
import io.vertx.core.json.JsonObject;
import org.junit.jupiter.api.AfterEach;

/** The provider keeps every promise of whole pods, with the reference back end behind it. */
class ReferencePodsTckTest extends PodProviderTck {
  private final ReferenceBackend backend = ReferenceBackend.start("pods.py");

  @AfterEach
  void endBackend() throws InterruptedException {
    backend.close();
  }

  @Override
  protected ProviderFactory factory() {
    return new RemoteFactory();
  }

  @Override
  protected JsonObject settings() {
    return backend.settings();
  }

  @Override
  protected JsonObject runningSpec() {
    return ReferenceBackend.runningSpec();
  }

  @Override
  protected int crowd() {
    return 20;
  }
}
