package dev.vertlet.provider;

import java.util.Map;
import java.util.function.Function;

/**
 * Entry point of a provider's jar. The jar names its implementation in {@code
 * META-INF/services/dev.vertlet.provider.ProviderFactory}; the class is public and has a public
 * constructor without parameters and without side effects.
 *
 * <p>One factory serves one agent for as long as it runs. {@link #check} may be called on any
 * thread; {@link #create} is called once for each shard, one call after another.
 */
public interface ProviderFactory {
  /**
   * Version of this package. It increases when an implementation compiled against the previous
   * version would no longer link or would be called differently.
   */
  int SPI_VERSION = 2;

  /**
   * Version that the provider was compiled against. Write {@code return
   * ProviderFactory.SPI_VERSION;}: the compiler copies the constant, so the result stays the
   * version at compile time.
   */
  int spiVersion();

  /**
   * Value of {@code nodes[].provider} that selects this provider: a DNS label, at most 63
   * lower-case letters, digits and dashes. It is also the value of the nodes' default taint.
   */
  String name();

  /**
   * Validates the provider's section of the configuration without side effects; {@code vertlet
   * validate} calls it, too.
   *
   * @throws SettingsException for a value that is not allowed
   */
  default void check(ProviderSettings settings) {}

  /**
   * Capacity of nodes whose configuration has none, for example that of this machine. May be called
   * on any thread, and must not block for long.
   *
   * @return quantities by resource; the configuration's defaults apply to missing ones
   */
  default Map<String, String> usualCapacity() {
    return Map.of();
  }

  /**
   * Creates the provider of one shard. Must not block or open connections: {@code start} of the
   * provider does that.
   *
   * @throws SettingsException for a value that is not allowed
   */
  Backend create(ProviderSetup setup);

  /**
   * Creates a factory for a program that embeds the agent.
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
