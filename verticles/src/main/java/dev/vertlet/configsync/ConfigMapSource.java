package dev.vertlet.configsync;

/**
 * What a node is asked to use: a key of whatever version of a ConfigMap there is.
 *
 * @param key {@code kubeletConfigKey}: which of its entries holds the config
 */
record ConfigMapSource(String namespace, String name, String key) {
  /** Which object to watch. */
  ConfigMapRef object() {
    return new ConfigMapRef(namespace, name);
  }

  String apiPath() {
    return object().apiPath();
  }

  /**
   * The same in one version of the ConfigMap.
   *
   * @throws IllegalArgumentException when uid or version cannot be kept, see {@link
   *     ResolvedSource#unusable}
   */
  ResolvedSource at(String uid, String resourceVersion) {
    return new ResolvedSource(this, uid, resourceVersion);
  }
}
