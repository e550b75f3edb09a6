package dev.vertlet.trace.record;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** Objects of tests, written in YAML. */
public final class Yaml {
  private static final ObjectMapper JSON = new ObjectMapper();

  private Yaml() {}

  public static JsonNode of(String yaml) {
    var loaded = new org.yaml.snakeyaml.Yaml(new SafeConstructor(new LoaderOptions())).load(yaml);
    return JSON.valueToTree(loaded);
  }
}
