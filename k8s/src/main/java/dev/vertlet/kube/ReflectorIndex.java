package dev.vertlet.kube;

import dev.vertlet.kube.ReflectorListener.Tombstone;
import dev.vertlet.model.KubeObject;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;

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
  private record Key(String namespace, String name) {}

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

  /** A list is the truth, even when it takes versions back (a restored etcd). */
  void listed(T object) {
    upsert(object, true);
  }

  /** Within a watch versions only grow: an older one is a repetition. */
  void watched(T object) {
    upsert(object, false);
  }

  private void upsert(T object, boolean authoritative) {
    Key key = new Key(object.namespace(), object.name());
    Entry known = entries.get(key);
    if (known != null && known.uid.equals(object.uid())) {
      known.list = list;
      long before = known.resourceVersion;
      boolean news =
          authoritative ? object.resourceVersion() != before : object.resourceVersion() > before;
      if (!news) {
        return;
      }
      known.resourceVersion = object.resourceVersion();
    } else {
      if (known != null) {
        if (!authoritative && object.resourceVersion() < known.resourceVersion) {
          return; // a repetition of an earlier holder of the name
        }
        entries.remove(key);
        listener.deleted(new Tombstone(key.namespace(), key.name(), known.uid));
      }
      entries.put(key, new Entry(object.uid(), object.resourceVersion(), list));
    }
    listener.upserted(object);
  }

  void deleted(T object) {
    Key key = new Key(object.namespace(), object.name());
    Entry known = entries.get(key);
    if (known != null && known.uid.equals(object.uid())) {
      entries.remove(key);
      listener.deleted(new Tombstone(key.namespace(), key.name(), known.uid));
    }
  }

  /** Delivers the deletions that happened while nobody watched. */
  void endList() {
    Iterator<Map.Entry<Key, Entry>> all = entries.entrySet().iterator();
    java.util.List<Tombstone> gone = new java.util.ArrayList<>();
    while (all.hasNext()) {
      Map.Entry<Key, Entry> next = all.next();
      if (next.getValue().list != list) {
        Key key = next.getKey();
        gone.add(new Tombstone(key.namespace(), key.name(), next.getValue().uid));
        all.remove();
      }
    }
    gone.forEach(listener::deleted);
  }
}
