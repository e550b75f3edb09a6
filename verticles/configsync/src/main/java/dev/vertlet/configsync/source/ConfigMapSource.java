package dev.vertlet.configsync.source;

/**
 * Config source that a Node declares: a key of the current version of a ConfigMap.
 *
 * @param key {@code kubeletConfigKey}: the entry that holds the config
 */
public record ConfigMapSource(String namespace, String name, String key) {
  /** Returns the ConfigMap to watch. */
  public ConfigMapRef object() {
    return new ConfigMapRef(namespace, name);
  }

  public String apiPath() {
    return object().apiPath();
  }

  /**
   * Returns this source in one version of the ConfigMap.
   *
   * @throws IllegalArgumentException when uid or version cannot be a file name, see {@link
   *     ResolvedSource#unusable}
   */
  public ResolvedSource at(String uid, String resourceVersion) {
    return new ResolvedSource(this, uid, resourceVersion);
  }
}
