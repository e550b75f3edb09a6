package dev.vertlet.model;

import java.util.Map;

/**
 * A ConfigMap or a Secret.
 *
 * @param immutable its data never changes: there is nothing to watch
 * @param data of a Secret decoded; bytes that are no UTF-8 are replaced, and {@code binaryData} is
 *     left out: neither can be in an environment
 */
public record DataView(
    String namespace,
    String name,
    String uid,
    long resourceVersion,
    boolean immutable,
    Map<String, String> data)
    implements ReferredView {
  public DataView {
    data = Map.copyOf(data);
  }

  /** Without the values: they may be secret. */
  @Override
  public String toString() {
    return namespace + "/" + name + " at " + resourceVersion + " with " + data.keySet();
  }
}
