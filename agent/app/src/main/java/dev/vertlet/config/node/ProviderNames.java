package dev.vertlet.config.node;

import dev.vertlet.plugins.ProviderCatalog;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Checks the value of {@code provider}. */
public final class ProviderNames {
  static final String SIMULATED = "simulated";

  /** Provider names that no jar may use. */
  public static final Set<String> RESERVED = Set.of(SIMULATED, "process", "remote", "cri");

  private ProviderNames() {}

  /** Returns why this provider is unavailable; empty when it is available. */
  static Optional<String> refusal(String provider, ProviderCatalog catalog) {
    if (provider.equals(SIMULATED) || catalog.find(provider) != null) {
      return Optional.empty();
    }
    return Optional.of("is not a provider; available: " + String.join(", ", available(catalog)));
  }

  private static List<String> available(ProviderCatalog catalog) {
    List<String> names = new ArrayList<>(List.of(SIMULATED));
    names.addAll(catalog.names());
    return names;
  }
}
