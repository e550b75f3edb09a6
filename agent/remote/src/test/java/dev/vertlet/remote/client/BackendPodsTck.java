package dev.vertlet.remote.client;

import dev.vertlet.provider.ProviderFactory;
import dev.vertlet.remote.RemoteFactory;
import dev.vertlet.tck.PodProviderTck;
import io.vertx.core.json.JsonObject;
import org.jspecify.annotations.Nullable;

/** Every promise of whole pods, for any back end. Run by name, as docs/remote.md says. */
public class BackendPodsTck extends PodProviderTck {
  private @Nullable JsonObject settings;

  @Override
  protected final ProviderFactory factory() {
    return new RemoteFactory();
  }

  @Override
  protected JsonObject settings() {
    if (settings == null) {
      settings = BackendUnderTest.emptied("pods");
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
