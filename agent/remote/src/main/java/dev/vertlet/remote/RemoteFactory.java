package dev.vertlet.remote;

import dev.vertlet.provider.Backend;
import dev.vertlet.provider.ProviderFactory;
import dev.vertlet.provider.ProviderSettings;
import dev.vertlet.provider.ProviderSetup;
import dev.vertlet.remote.client.RemoteMeters;
import dev.vertlet.remote.client.RemoteSettings;
import io.micrometer.core.instrument.MeterRegistry;
import org.jspecify.annotations.Nullable;

/** Creates providers that call a back end over HTTP. */
public final class RemoteFactory implements ProviderFactory {
  /** Value of {@code nodes[].provider}. */
  public static final String NAME = "remote";

  private @Nullable RemoteMeters meters;

  @Override
  public int spiVersion() {
    return SPI_VERSION;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public void check(ProviderSettings settings) {
    var unused = RemoteSettings.read(settings);
  }

  @Override
  public Backend create(ProviderSetup setup) {
    RemoteSettings settings = RemoteSettings.read(setup.settings());
    RemoteMeters shared = meters(setup.metrics());
    return switch (settings.level()) {
      case PODS -> new Backend.Pods(new RemotePods(setup, settings, shared));
      case CONTAINERS -> new Backend.Containers(new RemoteContainers(setup, settings, shared));
      case INTERLINK -> new Backend.Pods(new InterlinkPods(setup, settings, shared));
    };
  }

  /** Returns the meters that all shards of an agent share. */
  private RemoteMeters meters(MeterRegistry registry) {
    RemoteMeters shared = meters;
    if (shared == null || !shared.isOf(registry)) {
      shared = new RemoteMeters(registry);
      meters = shared;
    }
    return shared;
  }
}
