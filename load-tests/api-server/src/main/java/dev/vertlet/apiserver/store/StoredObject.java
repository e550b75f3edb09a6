package dev.vertlet.apiserver.store;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.apiserver.api.Json;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One version of one object, without {@code kind} and {@code apiVersion} (they belong to the view,
 * not to the data). The tree must never be changed.
 */
public final class StoredObject {
  private final ObjectNode json;
  private final long revision;
  private byte @Nullable [] bytes;
  private byte @Nullable [] protobuf;

  StoredObject(ObjectNode json, long revision) {
    this.json = json;
    this.revision = revision;
  }

  /** The frozen tree. */
  public ObjectNode json() {
    return json;
  }

  /** A copy that may be changed. */
  public ObjectNode copy() {
    return json.deepCopy();
  }

  /** The revision of the write that made this version. */
  public long revision() {
    return revision;
  }

  public String name() {
    return Json.text(json, "metadata", "name");
  }

  /** The namespace, empty for cluster-scoped objects. */
  public String namespace() {
    return Json.text(json, "metadata", "namespace");
  }

  public String uid() {
    return Json.text(json, "metadata", "uid");
  }

  /** Its key in the store. */
  public String key() {
    return ObjectStore.key(namespace(), name());
  }

  /** Compact JSON, made once: every reader and every watcher shares these bytes. */
  public byte[] bytes() {
    byte[] made = bytes;
    if (made == null) {
      made = Json.bytes(json);
      bytes = made;
    }
    return made;
  }

  /** The protobuf message, made once by the first reader that wants it. */
  public byte[] protobuf(Function<ObjectNode, byte[]> writer) {
    byte[] made = protobuf;
    if (made == null) {
      made = writer.apply(json);
      protobuf = made;
    }
    return made;
  }
}
