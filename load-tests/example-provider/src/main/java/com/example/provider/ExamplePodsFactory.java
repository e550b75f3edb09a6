package com.example.provider;

import dev.vertlet.provider.Backend;
import dev.vertlet.provider.ProviderFactory;
import dev.vertlet.provider.ProviderSettings;
import dev.vertlet.provider.ProviderSetup;
import java.time.Duration;

/** Provider {@code example}: whole pods. Settings: {@code startDelay}, from 0s to 1m. */
public final class ExamplePodsFactory implements ProviderFactory {
  @Override
  public int spiVersion() {
    return ProviderFactory.SPI_VERSION;
  }

  @Override
  public String name() {
    return "example";
  }

  @Override
  public void check(ProviderSettings settings) {
    startDelay(settings.only("startDelay"));
  }

  @Override
  public Backend create(ProviderSetup setup) {
    return new Backend.Pods(new ExamplePods(setup, startDelay(setup.settings())));
  }

  private static Duration startDelay(ProviderSettings settings) {
    return settings.duration("startDelay", Duration.ZERO, Duration.ZERO, Duration.ofMinutes(1));
  }
}
