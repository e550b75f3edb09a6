package dev.vertlet.config;

import dev.vertlet.plugins.ProviderCatalog;
import dev.vertlet.problem.Pointers;
import dev.vertlet.problem.Problem;
import dev.vertlet.provider.ProviderSettings;
import dev.vertlet.provider.SettingsException;
import java.util.Map;

/**
 * Section {@code providers}: providers from outside the build.
 *
 * @param directory directory they were loaded from; empty for none
 * @param settings settings by provider name
 * @param catalog loaded providers; it contains every provider that a node names
 */
public record ProvidersConfig(
    String directory, Map<String, ProviderSettings> settings, ProviderCatalog catalog) {
  public ProvidersConfig {
    settings = Map.copyOf(settings);
  }

  /** Returns the settings of this provider; empty when none are configured. */
  public ProviderSettings of(String provider) {
    return settings.getOrDefault(provider, ProviderSettings.NONE);
  }

  /** Returns the JSON pointer of this provider's settings. */
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
