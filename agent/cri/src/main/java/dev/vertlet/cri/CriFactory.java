package dev.vertlet.cri;

import dev.vertlet.host.node.Machine;
import dev.vertlet.provider.Backend;
import dev.vertlet.provider.ProviderFactory;
import dev.vertlet.provider.ProviderSettings;
import dev.vertlet.provider.ProviderSetup;
import java.util.Map;

/** Creates the runtime {@code cri}: containers run on a runtime that speaks CRI v1. */
public final class CriFactory implements ProviderFactory {
  /** Value of {@code nodes[].provider}. */
  public static final String NAME = "cri";

  @Override
  public int spiVersion() {
    return SPI_VERSION;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Map<String, String> usualCapacity() {
    return Machine.capacity();
  }

  @Override
  public void check(ProviderSettings settings) {
    var unused = CriOptions.of(settings);
  }

  @Override
  public Backend create(ProviderSetup setup) {
    return new Backend.Containers(new CriRuntime(setup, CriOptions.of(setup.settings())));
  }
}
