package dev.vertlet.kube;

import dev.vertlet.kube.ReflectorListener.Tombstone;
import dev.vertlet.model.KeyedTable;
import dev.vertlet.model.KubeObject;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the listener was told last: per object its namespace, name, UID and resourceVersion, nothing
 * else. Compares what arrives with it and passes on only what is news.
 *
 * @param <T> the view
 */
final class ReflectorIndex<T extends KubeObject> {
  private final ReflectorListener<T> listener;
  private final KeyedTable<Key, Entry> entries = new KeyedTable<>(entry -> entry);
  private int list;

  ReflectorIndex(ReflectorListener<T> listener) {
    this.listener = listener;
  }

  /** Objects have one name at a time; a UID never comes back. */
  static class Key {
    final String namespace;
    final String name;

    Key(String namespace, String name) {
      this.namespace = namespace;
      this.name = name;
    }

    static Key of(KubeObject object) {
      return new Key(object.namespace(), object.name());
    }

    /** Also where one is an entry and the other is not. */
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
  private static final class Entry extends Key {
    final String uid;
    long resourceVersion;
    int list;

    Entry(KubeObject object, int list) {
      super(object.namespace(), object.name());
      this.uid = object.uid();
      this.resourceVersion = object.resourceVersion();
      this.list = list;
    }

    Tombstone tombstone() {
      return new Tombstone(namespace, name, uid);
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
    Key key = Key.of(object);
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
        listener.deleted(known.tombstone());
      }
      entries.put(new Entry(object, list));
    }
    listener.upserted(object);
  }

  void deleted(KubeObject object) {
    Key key = Key.of(object);
    Entry known = entries.get(key);
    if (known != null && known.uid.equals(object.uid())) {
      entries.remove(key);
      listener.deleted(known.tombstone());
    }
  }

  /** Takes back what was told: every object is delivered as deleted. */
  void clear() {
    List<Tombstone> told = new ArrayList<>();
    entries.values().forEach(entry -> told.add(entry.tombstone()));
    entries.clear();
    told.forEach(listener::deleted);
  }

  /** Delivers the deletions that happened while nobody watched. */
  void endList() {
    List<Entry> gone = entries.values().stream().filter(entry -> entry.list != list).toList();
    gone.forEach(entries::remove);
    gone.forEach(entry -> listener.deleted(entry.tombstone()));
  }
}
