package dev.vertlet.model.reference;

import io.vertx.core.buffer.Buffer;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A ConfigMap or a Secret.
 *
 * @param immutable whether its data never changes, so that it need not be watched
 * @param data of a Secret decoded; bytes that are not UTF-8 are replaced
 * @param binaryKeys keys of {@code binaryData}, which cannot be in an environment
 * @param type of a Secret, for example {@code kubernetes.io/dockerconfigjson}; otherwise empty
 * @param binary bytes of {@code binaryData}, and of entries of {@code data} that are not UTF-8;
 *     empty unless the object was decoded with its bytes
 */
public record DataView(
    String namespace,
    String name,
    String uid,
    long resourceVersion,
    boolean immutable,
    Map<String, String> data,
    Set<String> binaryKeys,
    String type,
    Map<String, Buffer> binary)
    implements ReferredView {
  /** Creates an object without {@code binaryData}. */
  public DataView(
      String namespace,
      String name,
      String uid,
      long resourceVersion,
      boolean immutable,
      Map<String, String> data) {
    this(namespace, name, uid, resourceVersion, immutable, data, Set.of(), "", Map.of());
  }

  public DataView {
    data = Map.copyOf(data);
    binaryKeys = Set.copyOf(binaryKeys);
    binary = Map.copyOf(binary);
  }

  /** Whether a volume of the object has a file for this key. */
  public boolean has(String key) {
    return data.containsKey(key) || binaryKeys.contains(key);
  }

  /** Returns the bytes of an entry; null if there is none, or if its bytes were not decoded. */
  public @Nullable Buffer bytes(String key) {
    Buffer kept = binary.get(key);
    String text = data.get(key);
    return kept != null || text == null ? kept : Buffer.buffer(text);
  }

  /** Leaves out the values: they may be secret. */
  @Override
  public String toString() {
    return namespace + "/" + name + " at " + resourceVersion + " with " + data.keySet();
  }
}
