package dev.vertlet.remote.client;

import dev.vertlet.provider.ProviderFactory;
import dev.vertlet.remote.RemoteFactory;
import dev.vertlet.tck.ContainerRuntimeTck;
import io.vertx.core.json.JsonObject;
import org.jspecify.annotations.Nullable;

/** Every promise of single containers, for any back end. Run by name, as docs/remote.md says. */
public class BackendContainersTck extends ContainerRuntimeTck {
  private @Nullable JsonObject settings;

  @Override
  protected final ProviderFactory factory() {
    return new RemoteFactory();
  }

  @Override
  protected JsonObject settings() {
    if (settings == null) {
      settings = BackendUnderTest.emptied("sandboxes").put("level", "containers");
    }
    return settings.copy();
  }

  @Override
  protected JsonObject runningSpec() {
    return BackendUnderTest.runningSpec();
  }

  @Override
  protected final int crowd() {
    return 20;
  }
}
