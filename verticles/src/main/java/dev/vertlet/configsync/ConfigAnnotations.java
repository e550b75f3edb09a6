package dev.vertlet.configsync;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** Annotations of a Node by which people and agents agree about its config. */
public final class ConfigAnnotations {
  /** What a node shall run by: a {@code NodeConfigSource}, or {@code null}. Written by people. */
  public static final String SOURCE = DeclaredSources.ANNOTATION;

  /** What it does run by: a {@code NodeConfigStatus}. Written by the agent. */
  public static final String STATUS = StatusWrites.STATUS;

  /** What else is told. Written by the agent; not part of what stays compatible. */
  public static final String DETAIL = StatusWrites.DETAIL;

  private ConfigAnnotations() {}

  /** Value of {@link #SOURCE} for a key of a ConfigMap. */
  public static ObjectNode source(String namespace, String name, String key) {
    ObjectNode source = JsonNodeFactory.instance.objectNode();
    source
        .putObject("configMap")
        .put("namespace", namespace)
        .put("name", name)
        .put("kubeletConfigKey", key);
    return source;
  }

  /** Whether a source that was read from {@link #SOURCE} is the one that the agent looked at. */
  public static String observedHash(String namespace, String name, String key) {
    return ConfigDetail.hash(
        new DeclaredSource.Wanted(Channel.ANNOTATION, new ConfigMapSource(namespace, name, key)));
  }
}
