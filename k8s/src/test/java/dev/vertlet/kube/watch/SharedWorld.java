package dev.vertlet.kube.watch;

import dev.vertlet.kube.Thing;
import java.util.List;

/** A {@link World} that one event loop writes and a test thread reads. */
final class SharedWorld implements ReflectorListener<Thing> {
  private final World world = new World();
  private Runnable onUpsert = () -> {};

  synchronized List<String> names() {
    return List.copyOf(world.things().keySet());
  }

  synchronized List<String> history() {
    return List.copyOf(world.history());
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
}
