package dev.vertlet.process;

import dev.vertlet.host.node.Machine;
import dev.vertlet.provider.Backend;
import dev.vertlet.provider.ProviderFactory;
import dev.vertlet.provider.ProviderSettings;
import dev.vertlet.provider.ProviderSetup;
import java.util.Map;

/** Creates the runtime {@code process}: containers are processes of this host. */
public final class ProcessFactory implements ProviderFactory {
  /** Value of {@code nodes[].provider}. */
  public static final String NAME = "process";

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
    var unused = ProcessOptions.of(settings);
  }

  @Override
  public Backend create(ProviderSetup setup) {
    return new Backend.Containers(new ProcessRuntime(setup, ProcessOptions.of(setup.settings())));
  }
}
