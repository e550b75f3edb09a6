package dev.vertlet.provider;

import java.util.function.Function;

/**
 * How a jar offers a provider. The jar names its implementation in {@code
 * META-INF/services/dev.vertlet.provider.ProviderFactory}; the class is public and has a public
 * constructor without parameters that does nothing but that.
 *
 * <p>One factory serves one agent for as long as it runs. {@link #check} may be called on any
 * thread; {@link #create} is called once for each shard, one call after another.
 */
public interface ProviderFactory {
  /**
   * The version of everything in this package. It grows when an implementation that was compiled
   * against the former one would no longer link or would be called differently.
   */
  int SPI_VERSION = 1;

  /**
   * What this was compiled against. Write {@code return ProviderFactory.SPI_VERSION;}: the compiler
   * copies the constant, so the answer stays what it was at that time.
   */
  int spiVersion();

  /**
   * What {@code nodes[].provider} says to get it: a DNS label, at most 63 lower-case letters,
   * digits and dashes. It is also the value of the nodes' default taint.
   */
  String name();

  /**
   * Judges the provider's section of the configuration without doing anything else; {@code vertlet
   * validate} calls it, too.
   *
   * @throws SettingsException for a value that is not allowed
   */
  default void check(ProviderSettings settings) {}

  /**
   * Makes the provider of one shard. Must not block and must not call out: that is what {@code
   * start} of the provider is for.
   *
   * @throws SettingsException for a value that is not allowed
   */
  Backend create(ProviderSetup setup);

  /**
   * A factory for a program that runs the agent itself.
   *
   * @param maker called once for each shard
   */
  static ProviderFactory of(String name, Function<ProviderSetup, Backend> maker) {
    return new ProviderFactory() {
      @Override
      public int spiVersion() {
        return SPI_VERSION;
      }

      @Override
      public String name() {
        return name;
      }

      @Override
      public Backend create(ProviderSetup setup) {
        return maker.apply(setup);
      }
    };
  }
}
