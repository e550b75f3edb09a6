package dev.vertlet.config;

import dev.vertlet.config.document.ConfigSchema;
import dev.vertlet.config.document.SchemaNode;
import dev.vertlet.config.document.Suggestions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Maps environment variables to configuration keys: {@code VERTLET_} and the path in upper snake
 * case, for every scalar key outside lists. {@code VERTLET_LEASE_RENEW_INTERVAL} is {@code
 * lease.renewInterval}.
 */
final class EnvironmentSettings {
  private static final String PREFIX = "VERTLET_";

  /** Variables of the launcher and of the cluster tests, which set no keys. */
  private static final Set<String> NOT_KEYS = Set.of("VERTLET_HOME", "VERTLET_JAVA_OPTS");

  private static final String TESTS = "VERTLET_IT_";

  private final Map<String, List<String>> paths = new LinkedHashMap<>();

  EnvironmentSettings(ConfigSchema schema) {
    for (String section : schema.root().keys()) {
      List<String> path = List.of(section);
      SchemaNode node = schema.at(path);
      for (String key : node == null ? Set.<String>of() : node.keys()) {
        List<String> leaf = List.of(section, key);
        SchemaNode place = schema.at(leaf);
        if (place != null && place.isScalar()) {
          paths.put(variable(leaf), leaf);
        }
      }
    }
  }

  /** Returns the name of the variable that sets this key. */
  static String variable(List<String> path) {
    StringBuilder name = new StringBuilder("VERTLET");
    for (String key : path) {
      String snake =
          key.replaceAll("([a-z0-9])([A-Z])", "$1_$2").replaceAll("([A-Z])([A-Z][a-z])", "$1_$2");
      name.append('_').append(snake.toUpperCase(Locale.ROOT));
    }
    return name.toString();
  }

  /** Returns the settings of these variables. An empty variable sets nothing. */
  List<ConfigOverride> settings(Map<String, String> variables) {
    List<ConfigOverride> settings = new ArrayList<>();
    paths.forEach(
        (name, path) -> {
          String value = variables.get(name);
          if (value != null && !value.isEmpty()) {
            settings.add(new ConfigOverride(path, value, name));
          }
        });
    return settings;
  }

  /** Returns one warning that names the {@code VERTLET_} variables without a key. */
  Optional<String> warning(Map<String, String> variables) {
    Set<String> unknown = new TreeSet<>(variables.keySet());
    unknown.removeIf(
        name ->
            !name.startsWith(PREFIX)
                || name.startsWith(TESTS)
                || NOT_KEYS.contains(name)
                || paths.containsKey(name));
    if (unknown.isEmpty()) {
      return Optional.empty();
    }
    List<String> named = new ArrayList<>();
    for (String name : unknown) {
      String near =
          Suggestions.of(name, paths.keySet()).map(n -> " (did you mean " + n + "?)").orElse("");
      named.add(name + near);
    }
    return Optional.of(
        "environment variables that set no key are ignored: " + String.join(", ", named));
  }

  /** Returns every variable with its key, for the documentation. */
  Map<String, String> documented() {
    Map<String, String> documented = new LinkedHashMap<>();
    paths.forEach((name, path) -> documented.put(String.join(".", path), name));
    return documented;
  }
}
