package dev.vertlet.config;

import dev.vertlet.plugins.ProviderCatalog;
import dev.vertlet.problem.Pointers;
import dev.vertlet.problem.Problem;
import dev.vertlet.provider.ProviderSettings;
import dev.vertlet.provider.SettingsException;
import java.util.Map;

/**
 * Providers that are not part of vertlet.
 *
 * @param directory they were loaded from, empty for none
 * @param settings of each provider by its name
 * @param catalog what was found; every provider that a node names is in it
 */
public record ProvidersConfig(
    String directory, Map<String, ProviderSettings> settings, ProviderCatalog catalog) {
  public ProvidersConfig {
    settings = Map.copyOf(settings);
  }

  /** What this provider is told; empty where the configuration says nothing. */
  public ProviderSettings of(String provider) {
    return settings.getOrDefault(provider, ProviderSettings.NONE);
  }

  /** Where this provider's settings stand. */
  static String pointer(String provider) {
    return Pointers.of("providers", "settings", provider);
  }

  /** What a provider says of its settings, placed in the whole configuration. */
  public static Problem problem(String provider, SettingsException e) {
    String place = pointer(provider) + e.pointer();
    return e.value().equals("")
        ? Problem.about(place, e.allowed())
        : Problem.of(place, e.value(), e.allowed());
  }
}
