package dev.vertlet.plugins;

import dev.vertlet.provider.ProviderFactory;
import dev.vertlet.remote.RemoteFactory;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Provider factories besides the simulated runtime.
 *
 * @param factories factories by the value of {@code nodes[].provider}
 */
public record ProviderCatalog(Map<String, ProviderFactory> factories) {
  public static final ProviderCatalog EMPTY = new ProviderCatalog(Map.of());

  /** One for all catalogs, so that equal configurations are equal. */
  private static final ProviderFactory REMOTE = new RemoteFactory();

  public ProviderCatalog {
    factories = Map.copyOf(factories);
  }

  /** Creates a catalog of the embedding program's factories. The last one of a name wins. */
  public static ProviderCatalog of(Collection<ProviderFactory> factories) {
    Map<String, ProviderFactory> byName = new LinkedHashMap<>();
    factories.forEach(factory -> byName.put(factory.name(), factory));
    return new ProviderCatalog(byName);
  }

  /** Returns this catalog with provider {@code remote}, unless it has one of that name. */
  public ProviderCatalog withRemote() {
    Map<String, ProviderFactory> all = new LinkedHashMap<>(factories);
    all.putIfAbsent(REMOTE.name(), REMOTE);
    return new ProviderCatalog(all);
  }

  /** Returns a factory; null for an unknown name. */
  public @Nullable ProviderFactory find(String name) {
    return factories.get(name);
  }

  /** Returns the names in alphabetical order. */
  public List<String> names() {
    return factories.keySet().stream().sorted().toList();
  }

  Set<String> taken() {
    return factories.keySet();
  }
}
