package dev.vertlet.kube.watch;

import dev.vertlet.kube.watch.ReflectorListener.Tombstone;
import dev.vertlet.model.KeyedTable;
import dev.vertlet.model.KubeObject;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The objects that the listener knows: namespace, name, UID and resourceVersion of each. Compares
 * incoming objects with them and delivers only changes.
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

  /** Identifies an object: one name belongs to one object at a time; a UID is never reused. */
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

    /** Also compares a plain key with an entry. */
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

  /** Version delivered last, and number of the last list that contained the object. */
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

  /** Begins a list: objects that it does not contain until {@link #endList} are gone. */
  void beginList() {
    list++;
  }

  /**
   * Handles an object of a list or a watch. Every version other than the known one counts as a
   * change: a list is the truth even if its versions are lower (a restored etcd).
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

  /** Delivers every object as deleted. */
  void clear() {
    List<Tombstone> told = new ArrayList<>();
    entries.values().forEach(entry -> told.add(entry.tombstone()));
    entries.clear();
    told.forEach(listener::deleted);
  }

  /** Delivers the deletions that happened without an open watch. */
  void endList() {
    List<Entry> gone = entries.values().stream().filter(entry -> entry.list != list).toList();
    gone.forEach(entries::remove);
    gone.forEach(entry -> listener.deleted(entry.tombstone()));
  }
}
