package dev.vertlet.config;

import dev.vertlet.config.document.ConfigException;
import dev.vertlet.config.document.ConfigSchema;
import dev.vertlet.config.document.JsonText;
import dev.vertlet.config.document.TextFile;
import dev.vertlet.config.document.Variables;
import dev.vertlet.config.process.Environment;
import dev.vertlet.kubeletconfig.FeatureGates;
import dev.vertlet.plugins.ProviderCatalog;
import dev.vertlet.problem.Pointers;
import dev.vertlet.problem.Problem;
import dev.vertlet.problem.Problems;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads a configuration. Flags override the environment, the environment overrides the file, and
 * the file overrides the defaults. Blocks while it reads files: not for event loops.
 */
public final class ConfigLoader {
  private final Environment environment;
  private final ConfigSchema schema;
  private final EnvironmentSettings variables;
  private final ProviderCatalog embedded;

  public ConfigLoader(Environment environment) {
    this(environment, ProviderCatalog.EMPTY);
  }

  /**
   * @param embedded providers of the program that embeds the agent
   */
  public ConfigLoader(Environment environment, ProviderCatalog embedded) {
    this.environment = environment;
    this.embedded = embedded.withBuiltIn();
    this.schema = ConfigSchema.load();
    this.variables = new EnvironmentSettings(schema);
  }

  /**
   * @param flags the later above the earlier
   * @throws ConfigException with every problem, or the one why the file cannot be read
   */
  public LoadedConfig load(Path file, List<ConfigOverride> flags) {
    return parse(file.toString(), TextFile.read(file), flags);
  }

  /**
   * Does the same as {@link #load} for a text in memory.
   *
   * @param source what messages call it
   * @throws ConfigException with every problem
   */
  public LoadedConfig parse(String source, String text, List<ConfigOverride> flags) {
    JsonObject file = JsonText.object(source, text);
    VertletConfig config = map(file.copy(), flags, null);
    List<String> warnings = new ArrayList<>();
    variables.warning(environment.variables()).ifPresent(warnings::add);
    List<String> ignored = lay(file.copy(), flags, new Problems()).kubelet().ignored();
    if (!ignored.isEmpty()) {
      warnings.add("kubelet: ignored, as it means nothing here: " + String.join(", ", ignored));
    }
    List<String> gates =
        config.featureGates().set().keySet().stream()
            .filter(gate -> !FeatureGates.honoured(gate))
            .toList();
    if (!gates.isEmpty()) {
      warnings.add("featureGates: ignored, as they mean nothing here: " + String.join(", ", gates));
    }
    return new LoadedConfig(this, flags, file, config, warnings);
  }

  /** Environment and flags, on top of the document. */
  UnderFlags lay(JsonObject document, List<ConfigOverride> flags, Problems problems) {
    Overlay overlay = new Overlay(schema, document, problems);
    variables
        .settings(environment.variables())
        .forEach(setting -> overlay.apply(setting, Overlay.Level.ENVIRONMENT));
    flags.forEach(flag -> overlay.apply(flag, Overlay.Level.FLAG));
    letAdopt(overlay);
    return new UnderFlags(overlay, new KubeletSection(overlay, problems));
  }

  /**
   * Removes the keys that must not stand beside {@code adopt} from an item that a flag turns into
   * an adopting one. The flag therefore works with an unchanged file.
   */
  private static void letAdopt(Overlay overlay) {
    if (overlay.document().getValue("nodes") instanceof JsonArray nodes) {
      for (int i = 0; i < nodes.size(); i++) {
        if (nodes.getValue(i) instanceof JsonObject node && node.containsKey("adopt")) {
          String pointer = "/nodes/" + i + "/";
          Overlay.Level adopts = overlay.level(pointer + "adopt");
          ConfigMapper.NOT_ADOPTED.stream()
              .filter(key -> adopts.compareTo(overlay.level(pointer + key)) > 0)
              .forEach(node::remove);
        }
      }
    }
  }

  /**
   * @param loaded the providers; null to load them
   */
  VertletConfig map(
      JsonObject document, List<ConfigOverride> flags, @Nullable ProviderCatalog loaded) {
    Problems problems = new Problems();
    UnderFlags laid = lay(document, flags, problems);
    Variables references = new Variables(environment::variable, problems);
    references.replaceIn(document, schema);
    problems.addAll(schema.problems(document));
    ProvidersReader providers = new ProvidersReader(environment, embedded, loaded, problems);
    VertletConfig config =
        new ConfigMapper(document, schema, environment, references, providers, problems).map();
    if (!problems.isEmpty()) {
      throw new ConfigException(present(document, laid, problems.list()));
    }
    return config;
  }

  List<Problem> malformed(JsonObject document) {
    return schema.problems(document);
  }

  private List<Problem> present(JsonObject document, UnderFlags laid, List<Problem> problems) {
    List<String> sections = List.copyOf(schema.root().keys());
    return problems.stream()
        .map(
            problem -> {
              Object written = Pointers.find(document, Pointers.tokens(problem.pointer()));
              Problem shown = written == null ? problem : problem.asWritten(written);
              return laid.overlay().attribute(laid.kubelet().asWritten(shown));
            })
        .distinct()
        .sorted(
            Comparator.<Problem>comparingInt(problem -> place(sections, problem))
                .thenComparingInt(ConfigLoader::item))
        .toList();
  }

  private static int place(List<String> sections, Problem problem) {
    List<String> path = Pointers.tokens(problem.pointer());
    int place = path.isEmpty() ? -1 : sections.indexOf(path.get(0));
    return place < 0 ? sections.size() : place;
  }

  /** The index in a list of a section or of nodes; 0 where there is none. */
  private static int item(Problem problem) {
    return Pointers.tokens(problem.pointer()).stream()
        .mapToInt(Pointers::index)
        .filter(index -> index >= 0)
        .findFirst()
        .orElse(0);
  }
}
