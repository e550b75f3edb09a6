package dev.vertlet.config;

import dev.vertlet.config.document.ConfigException;
import dev.vertlet.config.document.Section;
import dev.vertlet.config.node.NodePlanner;
import dev.vertlet.config.node.ProviderNames;
import dev.vertlet.config.process.Environment;
import dev.vertlet.plugins.ProviderCatalog;
import dev.vertlet.plugins.ProviderDirectory;
import dev.vertlet.problem.Problem;
import dev.vertlet.problem.Problems;
import dev.vertlet.provider.ProviderFactory;
import dev.vertlet.provider.ProviderSettings;
import dev.vertlet.provider.SettingsException;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Loads the providers of the configured directory and lets each check its own settings. */
final class ProvidersReader {
  private final Environment environment;
  private final ProviderCatalog embedded;
  private final @Nullable ProviderCatalog loaded;
  private final Problems problems;

  /**
   * @param embedded factories of the program that embeds the agent
   * @param loaded these and those of the directory; null to load them
   */
  ProvidersReader(
      Environment environment,
      ProviderCatalog embedded,
      @Nullable ProviderCatalog loaded,
      Problems problems) {
    this.environment = environment;
    this.embedded = embedded;
    this.loaded = loaded;
    this.problems = problems;
  }

  ProvidersConfig read(Section json) {
    String directory = json.text("directory", "");
    ProviderCatalog catalog = loaded == null ? load(json, directory) : loaded;
    Map<String, ProviderSettings> settings = new LinkedHashMap<>();
    json.objects("settings")
        .forEach(
            (name, section) -> {
              if (catalog.find(name) == null) {
                unknown(name, section, catalog);
              } else {
                settings.put(name, ProviderSettings.of(section));
              }
            });
    return new ProvidersConfig(directory, settings, catalog);
  }

  private ProviderCatalog load(Section json, String directory) {
    if (directory.isEmpty()) {
      return embedded;
    }
    try {
      return ProviderDirectory.load(
          Path.of(environment.path(json.pointer("directory"), directory)),
          ProviderNames.RESERVED,
          embedded,
          problem -> problems.refuse("/providers/directory", directory, problem));
    } catch (ConfigException e) {
      problems.addAll(e.problems());
      return embedded;
    }
  }

  private void unknown(String name, JsonObject section, ProviderCatalog catalog) {
    List<String> names = catalog.names();
    String known = names.isEmpty() ? "there are none" : "there are " + String.join(", ", names);
    problems.refuse(
        ProvidersConfig.pointer(name), section, "is for a provider that was not loaded; " + known);
  }

  /** Lets every provider that has settings or that an item of nodes names check its settings. */
  void check(ProvidersConfig providers, NodePlanner.Plan plan) {
    Set<String> names = new TreeSet<>(providers.settings().keySet());
    plan.nodes().forEach(node -> names.add(node.provider()));
    plan.adopt().forEach(adopt -> names.add(adopt.provider()));
    for (String name : names) {
      ProviderFactory factory = providers.catalog().find(name);
      if (factory != null && !isRefused(name)) {
        check(factory, name, providers.of(name));
      }
    }
  }

  /** A provider whose settings the schema refuses would refuse the same values once more. */
  private boolean isRefused(String name) {
    String place = ProvidersConfig.pointer(name);
    return problems.list().stream()
        .map(Problem::pointer)
        .anyMatch(known -> known.equals(place) || known.startsWith(place + "/"));
  }

  private void check(ProviderFactory factory, String name, ProviderSettings settings) {
    try {
      factory.check(settings);
    } catch (SettingsException e) {
      problems.add(ProvidersConfig.problem(name, e));
    } catch (RuntimeException | LinkageError e) {
      problems.refuse(
          ProvidersConfig.pointer(name),
          settings.json(),
          "cannot be judged, the provider failed: " + e);
    }
  }
}
