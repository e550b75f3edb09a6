package dev.vertlet.model;

import java.util.Map;
import java.util.Set;

/**
 * A ConfigMap or a Secret.
 *
 * @param immutable whether its data never changes, so that it need not be watched
 * @param data of a Secret decoded; bytes that are not UTF-8 are replaced
 * @param binaryKeys keys of {@code binaryData}, which cannot be in an environment
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
  /** Creates an object without {@code binaryData}. */
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

  /** Whether a volume of the object has a file for this key. */
  public boolean has(String key) {
    return data.containsKey(key) || binaryKeys.contains(key);
  }

  /** Leaves out the values: they may be secret. */
  @Override
  public String toString() {
    return namespace + "/" + name + " at " + resourceVersion + " with " + data.keySet();
  }
}
