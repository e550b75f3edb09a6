package dev.vertlet.stages.cluster;

import dev.vertlet.provider.Backend;
import dev.vertlet.provider.ProviderFactory;
import dev.vertlet.provider.ProviderSettings;
import dev.vertlet.provider.ProviderSetup;

/**
 * Provider {@code stages}: nodes whose status, and whose pods, a {@link StagesVerticle} plays.
 * Registration and Leases stay those of other nodes. It has no settings of its own: the section
 * {@code stages} of the configuration holds them.
 */
public final class StagesFactory implements ProviderFactory {
  /** Value of {@code nodes[].provider}. */
  public static final String NAME = "stages";

  @Override
  public int spiVersion() {
    return ProviderFactory.SPI_VERSION;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public void check(ProviderSettings settings) {
    settings.only();
  }

  @Override
  public Backend create(ProviderSetup setup) {
    return new Backend.Pods(new StagedPods());
  }
}
