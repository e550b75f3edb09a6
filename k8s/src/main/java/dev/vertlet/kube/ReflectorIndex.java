package dev.vertlet.kube;

import dev.vertlet.kube.ReflectorListener.Tombstone;
import dev.vertlet.model.KubeObject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the listener was told last: per object its namespace, name, UID and resourceVersion, nothing
 * else. Compares what arrives with it and passes on only what is news.
 *
 * @param <T> the view
 */
final class ReflectorIndex<T extends KubeObject> {
  private final ReflectorListener<T> listener;
  private final Map<Key, Entry> entries = new HashMap<>();
  private int list;

  ReflectorIndex(ReflectorListener<T> listener) {
    this.listener = listener;
  }

  /** Objects have one name at a time; a UID never comes back. */
  record Key(String namespace, String name) {
    @Override
    public boolean equals(@Nullable Object other) {
      return this == other
          || other instanceof Key that
              && namespace.equals(that.namespace)
              && name.equals(that.name);
    }

    @Override
    public int hashCode() {
      int hash = namespace.hashCode();
      return 31 * hash + name.hashCode();
    }
  }

  /** Last state delivered, and the number of the list that saw it last. */
  private static final class Entry {
    final String uid;
    long resourceVersion;
    int list;

    Entry(String uid, long resourceVersion, int list) {
      this.uid = uid;
      this.resourceVersion = resourceVersion;
      this.list = list;
    }
  }

  int size() {
    return entries.size();
  }

  /** A list begins: what it does not bring until {@link #endList} is gone. */
  void beginList() {
    list++;
  }

  /**
   * An object as a list or a watch shows it. Any other version than the known one is news: a list
   * is the truth even when it takes versions back (a restored etcd).
   */
  void upserted(T object) {
    Key key = new Key(object.namespace(), object.name());
    Entry known = entries.get(key);
    if (known != null && known.uid.equals(object.uid())) {
      known.list = list;
      if (known.resourceVersion == object.resourceVersion()) {
        return;
      }
      known.resourceVersion = object.resourceVersion();
    } else {
      if (known != null) {
        entries.remove(key);
        listener.deleted(new Tombstone(key.namespace(), key.name(), known.uid));
      }
      entries.put(key, new Entry(object.uid(), object.resourceVersion(), list));
    }
    listener.upserted(object);
  }

  void deleted(KubeObject object) {
    Key key = new Key(object.namespace(), object.name());
    Entry known = entries.get(key);
    if (known != null && known.uid.equals(object.uid())) {
      entries.remove(key);
      listener.deleted(new Tombstone(key.namespace(), key.name(), known.uid));
    }
  }

  /** Takes back what was told: every object is delivered as deleted. */
  void clear() {
    List<Tombstone> told = new ArrayList<>();
    entries.forEach(
        (key, entry) -> told.add(new Tombstone(key.namespace(), key.name(), entry.uid)));
    entries.clear();
    told.forEach(listener::deleted);
  }

  /** Delivers the deletions that happened while nobody watched. */
  void endList() {
    List<Tombstone> gone = new ArrayList<>();
    entries.forEach(
        (key, entry) -> {
          if (entry.list != list) {
            gone.add(new Tombstone(key.namespace(), key.name(), entry.uid));
          }
        });
    gone.forEach(object -> entries.remove(new Key(object.namespace(), object.name())));
    gone.forEach(listener::deleted);
  }
}
