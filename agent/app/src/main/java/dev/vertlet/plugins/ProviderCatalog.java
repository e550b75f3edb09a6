package dev.vertlet.plugins;

import dev.vertlet.cri.CriFactory;
import dev.vertlet.process.ProcessFactory;
import dev.vertlet.provider.ProviderFactory;
import dev.vertlet.remote.RemoteFactory;
import dev.vertlet.stages.cluster.StagesFactory;
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

  /** One each for all catalogs, so that equal configurations are equal. */
  private static final List<ProviderFactory> BUILT_IN =
      List.of(new CriFactory(), new ProcessFactory(), new RemoteFactory(), new StagesFactory());

  public ProviderCatalog {
    factories = Map.copyOf(factories);
  }

  /** Creates a catalog of the embedding program's factories. The last one of a name wins. */
  public static ProviderCatalog of(Collection<ProviderFactory> factories) {
    Map<String, ProviderFactory> byName = new LinkedHashMap<>();
    factories.forEach(factory -> byName.put(factory.name(), factory));
    return new ProviderCatalog(byName);
  }

  /** Returns this catalog with the providers of this build whose names it does not have. */
  public ProviderCatalog withBuiltIn() {
    Map<String, ProviderFactory> all = new LinkedHashMap<>(factories);
    BUILT_IN.forEach(factory -> all.putIfAbsent(factory.name(), factory));
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
