package dev.vertlet.plugins;

import dev.vertlet.provider.ProviderFactory;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The factories that are at hand besides the providers of the build.
 *
 * @param factories by the name that {@code nodes[].provider} says
 */
public record ProviderCatalog(Map<String, ProviderFactory> factories) {
  public static final ProviderCatalog EMPTY = new ProviderCatalog(Map.of());

  public ProviderCatalog {
    factories = Map.copyOf(factories);
  }

  /** Factories of the embedding program. The last one of a name counts. */
  public static ProviderCatalog of(Collection<ProviderFactory> factories) {
    Map<String, ProviderFactory> byName = new LinkedHashMap<>();
    factories.forEach(factory -> byName.put(factory.name(), factory));
    return new ProviderCatalog(byName);
  }

  /** Null where there is none. */
  public @Nullable ProviderFactory find(String name) {
    return factories.get(name);
  }

  /** In alphabetical order. */
  public List<String> names() {
    return factories.keySet().stream().sorted().toList();
  }

  Set<String> taken() {
    return factories.keySet();
  }
}
