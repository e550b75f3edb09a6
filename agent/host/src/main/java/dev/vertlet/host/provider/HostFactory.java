package dev.vertlet.host.provider;

import dev.vertlet.host.node.Machine;
import dev.vertlet.provider.Backend;
import dev.vertlet.provider.ProviderFactory;
import dev.vertlet.provider.ProviderSettings;
import dev.vertlet.provider.ProviderSetup;
import dev.vertlet.provider.container.ContainerRuntime;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * Creates a runtime whose containers run on this host, which therefore has the machine's capacity.
 *
 * @param <O> the provider's section of the configuration
 */
public abstract class HostFactory<O> implements ProviderFactory {
  private final String name;
  private final Function<ProviderSettings, O> options;
  private final BiFunction<ProviderSetup, O, ContainerRuntime> runtime;

  /**
   * @param name value of {@code nodes[].provider}
   * @param options reads the section; throws {@link dev.vertlet.provider.SettingsException} for a
   *     value that is not allowed
   * @param runtime creates the runtime of a shard
   */
  protected HostFactory(
      String name,
      Function<ProviderSettings, O> options,
      BiFunction<ProviderSetup, O, ContainerRuntime> runtime) {
    this.name = name;
    this.options = options;
    this.runtime = runtime;
  }

  @Override
  public final int spiVersion() {
    return SPI_VERSION;
  }

  @Override
  public final String name() {
    return name;
  }

  @Override
  public final Map<String, String> usualCapacity() {
    return Machine.capacity();
  }

  @Override
  public final void check(ProviderSettings settings) {
    var unused = options.apply(settings);
  }

  @Override
  public final Backend create(ProviderSetup setup) {
    return new Backend.Containers(runtime.apply(setup, options.apply(setup.settings())));
  }
}
