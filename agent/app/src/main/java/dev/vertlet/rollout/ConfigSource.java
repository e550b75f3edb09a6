package dev.vertlet.rollout;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vertlet.configsync.ConfigAnnotations;

/** A key of a ConfigMap. */
record ConfigSource(String namespace, String name, String key) {
  /**
   * Parses a source.
   *
   * @param text {@code NAMESPACE/NAME}
   * @throws IllegalArgumentException for any other text
   */
  static ConfigSource parse(String text, String key) {
    String[] parts = text.split("/", -1);
    if (parts.length != 2 || parts[0].isEmpty() || parts[1].isEmpty()) {
      throw new IllegalArgumentException(
          "\"" + text + "\" must be NAMESPACE/NAME of a ConfigMap, such as kube-system/my-config");
    }
    return new ConfigSource(parts[0], parts[1], key);
  }

  /** Returns the value of the annotation. */
  String json() {
    return ConfigAnnotations.source(namespace, name, key).toString();
  }

  String observedHash() {
    return ConfigAnnotations.observedHash(namespace, name, key);
  }

  boolean isOf(JsonNode configMap) {
    return configMap.path("namespace").asText().equals(namespace)
        && configMap.path("name").asText().equals(name)
        && configMap.path("kubeletConfigKey").asText().equals(key);
  }

  @Override
  public String toString() {
    return namespace + "/" + name + " key " + key;
  }
}
