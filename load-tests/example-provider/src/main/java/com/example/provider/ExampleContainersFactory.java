package com.example.provider;

import dev.vertlet.provider.Backend;
import dev.vertlet.provider.ProviderFactory;
import dev.vertlet.provider.ProviderSettings;
import dev.vertlet.provider.ProviderSetup;

/** Provider {@code example-containers}: single containers. Takes no settings. */
public final class ExampleContainersFactory implements ProviderFactory {
  @Override
  public int spiVersion() {
    return ProviderFactory.SPI_VERSION;
  }

  @Override
  public String name() {
    return "example-containers";
  }

  @Override
  public void check(ProviderSettings settings) {
    settings.only();
  }

  @Override
  public Backend create(ProviderSetup setup) {
    return new Backend.Containers(new ExampleContainers(setup));
  }
}
