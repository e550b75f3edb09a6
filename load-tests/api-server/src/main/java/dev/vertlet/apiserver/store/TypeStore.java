package dev.vertlet.apiserver.store;

import dev.vertlet.apiserver.api.ApiException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;

/** Objects, history and subscribers of one resource type. */
final class TypeStore {
  private final int window;
  private final TreeMap<String, StoredObject> objects = new TreeMap<>();
  private final ArrayDeque<StoreEvent> history = new ArrayDeque<>();
  private final Set<Consumer<StoreEvent>> subscribers = new LinkedHashSet<>();

  /** Events up to this revision are no longer known. */
  private long forgotten;

  TypeStore(int window, long forgotten) {
    this.window = window;
    this.forgotten = forgotten;
  }

  Optional<StoredObject> get(String key) {
    return Optional.ofNullable(objects.get(key));
  }

  Collection<StoredObject> list(String namespace) {
    return in(objects, namespace).values();
  }

  private static NavigableMap<String, StoredObject> in(
      TreeMap<String, StoredObject> all, String namespace) {
    return namespace.isEmpty()
        ? all
        : all.subMap(namespace + "/", true, namespace + "0", false); // '0' follows '/'
  }

  /** The objects as they were right after {@code revision}, found by undoing later events. */
  Collection<StoredObject> listAt(String namespace, long revision) {
    checkKnown(revision);
    TreeMap<String, StoredObject> past = new TreeMap<>(objects);
    Iterator<StoreEvent> newestFirst = history.descendingIterator();
    while (newestFirst.hasNext()) {
      StoreEvent event = newestFirst.next();
      if (event.revision() <= revision) {
        break;
      }
      event.after().ifPresent(after -> past.remove(after.key()));
      event.before().ifPresent(before -> past.put(before.key(), before));
    }
    return in(past, namespace).values();
  }

  List<StoreEvent> eventsAfter(long revision) {
    checkKnown(revision);
    List<StoreEvent> events = new ArrayList<>();
    for (StoreEvent event : history) {
      if (event.revision() > revision) {
        events.add(event);
      }
    }
    return events;
  }

  private void checkKnown(long revision) {
    if (revision < forgotten) {
      throw ApiException.expired(
          "too old resource version: %d (%d)".formatted(revision, forgotten));
    }
  }

  void apply(StoreEvent event) {
    event.before().ifPresent(before -> objects.remove(before.key()));
    event.after().ifPresent(after -> objects.put(after.key(), after));
    history.addLast(event);
    if (history.size() > window) {
      forgotten = history.removeFirst().revision();
    }
    for (Consumer<StoreEvent> subscriber : List.copyOf(subscribers)) {
      subscriber.accept(event);
    }
    event.forgetLines();
  }

  void restore(StoredObject object) {
    objects.put(object.key(), object);
  }

  void compact(long revision) {
    history.clear();
    forgotten = revision;
  }

  void subscribe(Consumer<StoreEvent> subscriber) {
    subscribers.add(subscriber);
  }

  void unsubscribe(Consumer<StoreEvent> subscriber) {
    subscribers.remove(subscriber);
  }
}
