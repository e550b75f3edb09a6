package dev.vertlet.configsync;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.configsync.source.Channel;
import dev.vertlet.configsync.source.ConfigMapSource;
import dev.vertlet.configsync.source.DeclaredSource;
import dev.vertlet.configsync.source.DeclaredSources;

/** Annotations of a Node through which users and agents exchange its config and its state. */
public final class ConfigAnnotations {
  /**
   * The config that a node is to run with: a {@code NodeConfigSource}, or {@code null}. Written by
   * users.
   */
  public static final String SOURCE = DeclaredSources.ANNOTATION;

  /** The config that the node runs with: a {@code NodeConfigStatus}. Written by the agent. */
  public static final String STATUS = StatusWrites.STATUS;

  /** Details of the status. Written by the agent; not covered by compatibility promises. */
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

  /**
   * Hash of a source in {@link #SOURCE}; equals the agent's observed hash once the agent has
   * processed that source.
   */
  public static String observedHash(String namespace, String name, String key) {
    return ConfigDetail.hash(
        new DeclaredSource.Wanted(Channel.ANNOTATION, new ConfigMapSource(namespace, name, key)));
  }
}
