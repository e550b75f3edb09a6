package dev.vertlet.kube.watch;

import dev.vertlet.kube.Thing;
import dev.vertlet.model.ListPage;
import dev.vertlet.model.WatchEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

/** What an API server promises about one resource type, in memory and in virtual time. */
final class ModelServer {
  private static final int NAMES = 12;

  private final RandomGenerator random;
  private final Map<String, Thing> objects = new TreeMap<>();
  private final List<Logged> log = new ArrayList<>();
  private long revision = 100;
  private long compacted = 100;
  private int uids;

  ModelServer(RandomGenerator random) {
    this.random = random;
  }

  record Logged(long revision, WatchEvent<Thing> event) {}

  Map<String, Thing> objects() {
    return objects;
  }

  long revision() {
    return revision;
  }

  boolean hasExpired(long resourceVersion) {
    return resourceVersion < compacted;
  }

  void compact() {
    compacted = revision;
    log.clear();
  }

  /** Creates, changes, deletes or replaces one object. */
  void mutate() {
    String name = "n" + random.nextInt(NAMES);
    Thing known = objects.get(name);
    if (known == null) {
      put(new Thing("ns", name, "u" + ++uids, ++revision));
    } else if (random.nextInt(3) > 0) {
      put(new Thing("ns", name, known.uid(), ++revision));
    } else {
      objects.remove(name);
      Thing last = new Thing("ns", name, known.uid(), ++revision);
      log.add(new Logged(revision, WatchEvent.Deleted.of(last)));
      if (random.nextBoolean()) {
        put(new Thing("ns", name, "u" + ++uids, ++revision));
      }
    }
  }

  /** Everything after a revision, in order. */
  List<Logged> since(long resourceVersion) {
    return log.stream().filter(logged -> logged.revision() > resourceVersion).toList();
  }

  List<Thing> snapshot() {
    return List.copyOf(objects.values());
  }

  ListPage<Thing> page(List<Thing> snapshot, long at, int from, int size) {
    int to = Math.min(snapshot.size(), from + size);
    return new ListPage<>(
        snapshot.subList(from, to), at, to < snapshot.size() ? Integer.toString(to) : null);
  }

  private void put(Thing thing) {
    objects.put(thing.name(), thing);
    log.add(new Logged(revision, new WatchEvent.Upsert<>(thing)));
  }
}
