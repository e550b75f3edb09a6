package dev.vertlet.remote;

import dev.vertlet.provider.ProviderFactory;
import dev.vertlet.tck.ContainerRuntimeTck;
import io.vertx.core.json.JsonObject;
import org.junit.jupiter.api.AfterEach;

/** The provider keeps every promise of single containers, with the reference back end behind it. */
class ReferenceContainersTckTest extends ContainerRuntimeTck {
  private final ReferenceBackend backend = ReferenceBackend.start("containers.py");

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
    return backend.settings().put("level", "containers").put("resize", true);
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
