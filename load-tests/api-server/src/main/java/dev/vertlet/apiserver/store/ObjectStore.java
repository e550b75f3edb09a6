package dev.vertlet.apiserver.store;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.apiserver.api.Json;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** All objects of the server under one revision counter. Used on the server's event loop only. */
public final class ObjectStore {
  private final int window;
  private final Map<String, TypeStore> types = new HashMap<>();

  /**
   * Written by the server's event loop only; volatile because test threads read it when they script
   * a fault.
   */
  private volatile long revision = 1;

  private long compacted;

  /**
   * @param window events kept per resource type, at least 1; older ones answer {@code 410 Expired}
   */
  public ObjectStore(int window) {
    this.window = window;
  }

  /** The key of an object: {@code namespace/name}, or the name alone when cluster-scoped. */
  public static String key(String namespace, String name) {
    return namespace.isEmpty() ? name : namespace + "/" + name;
  }

  /**
   * A version that was never written: the answer to a dry run or to the update that completed a
   * deletion.
   */
  public static StoredObject unsaved(ObjectNode json) {
    return new StoredObject(json, 0);
  }

  /** The revision of the latest write. */
  public long revision() {
    return revision;
  }

  public Optional<StoredObject> get(String type, String namespace, String name) {
    return type(type).get(key(namespace, name));
  }

  /** Current objects in key order; an empty namespace means all. The collection is a live view. */
  public Collection<StoredObject> list(String type, String namespace) {
    return type(type).list(namespace);
  }

  /**
   * Objects as of a past revision.
   *
   * @throws dev.vertlet.apiserver.api.ApiException {@code 410 Expired} when history does not reach
   *     back
   */
  public Collection<StoredObject> listAt(String type, String namespace, long atRevision) {
    return type(type).listAt(namespace, atRevision);
  }

  /**
   * Events with a revision above the given one, oldest first.
   *
   * @throws dev.vertlet.apiserver.api.ApiException {@code 410 Expired} when history does not reach
   *     back
   */
  public List<StoreEvent> eventsAfter(String type, long afterRevision) {
    return type(type).eventsAfter(afterRevision);
  }

  /**
   * Writes the next version of an object; the store takes the tree over and stamps its
   * resourceVersion.
   */
  public StoredObject put(String type, ObjectNode json) {
    long mine = next();
    Json.child(json, "metadata").put("resourceVersion", Long.toString(mine));
    StoredObject next = new StoredObject(json, mine);
    TypeStore store = type(type);
    store.apply(new StoreEvent(mine, store.get(next.key()).orElse(null), next));
    return next;
  }

  /** Removes an object and returns its last content with the revision of the removal. */
  public StoredObject remove(String type, StoredObject current) {
    StoreEvent event = new StoreEvent(next(), current, null);
    type(type).apply(event);
    return event.gone();
  }

  /** All objects by type; the lists are copies, the trees are the frozen ones. */
  public Map<String, List<ObjectNode>> contents() {
    Map<String, List<ObjectNode>> contents = new HashMap<>();
    types.forEach(
        (type, kept) ->
            contents.put(type, kept.list("").stream().map(StoredObject::json).toList()));
    return contents;
  }

  /**
   * Takes over objects of an earlier life, without events. Revisions up to the given one count as
   * forgotten.
   */
  public void restore(long atRevision, Map<String, List<ObjectNode>> contents) {
    revision = atRevision;
    compacted = atRevision;
    contents.forEach(
        (type, objects) -> {
          TypeStore restored = type(type);
          for (ObjectNode json : objects) {
            long version = Json.at(json, "metadata", "resourceVersion").asLong();
            restored.restore(new StoredObject(json, version));
          }
        });
  }

  /** Calls the subscriber with each event of the type from now on. */
  public void subscribe(String type, Consumer<StoreEvent> subscriber) {
    type(type).subscribe(subscriber);
  }

  public void unsubscribe(String type, Consumer<StoreEvent> subscriber) {
    type(type).unsubscribe(subscriber);
  }

  /**
   * Forgets all history: a watch or exact list from any older revision now answers {@code 410
   * Expired}.
   */
  public void compact() {
    compacted = next(); // so that even a client that is up to date falls out of the window
    types.values().forEach(type -> type.compact(compacted));
  }

  private long next() {
    long value = revision + 1;
    revision = value;
    return value;
  }

  private TypeStore type(String type) {
    return types.computeIfAbsent(type, any -> new TypeStore(window, compacted));
  }
}
