package dev.vertlet.model;

import java.util.Map;
import java.util.Set;

/**
 * A ConfigMap or a Secret.
 *
 * @param immutable its data never changes: there is nothing to watch
 * @param data of a Secret decoded; bytes that are no UTF-8 are replaced
 * @param binaryKeys of {@code binaryData}, whose bytes cannot be in an environment
 */
public record DataView(
    String namespace,
    String name,
    String uid,
    long resourceVersion,
    boolean immutable,
    Map<String, String> data,
    Set<String> binaryKeys)
    implements ReferredView {
  /** Without {@code binaryData}. */
  public DataView(
      String namespace,
      String name,
      String uid,
      long resourceVersion,
      boolean immutable,
      Map<String, String> data) {
    this(namespace, name, uid, resourceVersion, immutable, data, Set.of());
  }

  public DataView {
    data = Map.copyOf(data);
    binaryKeys = Set.copyOf(binaryKeys);
  }

  /** Whether a volume of it has such a file. */
  public boolean has(String key) {
    return data.containsKey(key) || binaryKeys.contains(key);
  }

  /** Without the values: they may be secret. */
  @Override
  public String toString() {
    return namespace + "/" + name + " at " + resourceVersion + " with " + data.keySet();
  }
}
