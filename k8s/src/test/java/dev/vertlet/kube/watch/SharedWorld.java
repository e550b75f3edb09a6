package dev.vertlet.kube.watch;

import dev.vertlet.kube.Thing;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A {@link World} that one event loop writes and a test thread reads. */
final class SharedWorld implements ReflectorListener<Thing> {
  private final World world = new World();
  private final List<Duration> gaps = new ArrayList<>();
  private Runnable onUpsert = () -> {};

  synchronized List<String> names() {
    return List.copyOf(world.things().keySet());
  }

  synchronized List<String> history() {
    return List.copyOf(world.history());
  }

  /** Length of the gap before each relist. */
  synchronized List<Duration> gaps() {
    return List.copyOf(gaps);
  }

  synchronized void clear() {
    world.history().clear();
  }

  synchronized void onUpsert(Runnable action) {
    onUpsert = action;
  }

  @Override
  public synchronized void upserted(Thing object) {
    onUpsert.run();
    world.upserted(object);
  }

  @Override
  public synchronized void deleted(Tombstone object) {
    world.deleted(object);
  }

  @Override
  public synchronized void synced() {
    world.synced();
  }

  @Override
  public synchronized void relisted(Duration unwatched) {
    gaps.add(unwatched);
  }
}
