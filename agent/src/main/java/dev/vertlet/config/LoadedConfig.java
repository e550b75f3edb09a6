package dev.vertlet.config;

import java.util.List;

/**
 * A configuration that can be run.
 *
 * @param warnings for people: what was ignored
 */
public record LoadedConfig(VertletConfig config, List<String> warnings) {
  public LoadedConfig {
    warnings = List.copyOf(warnings);
  }
}
