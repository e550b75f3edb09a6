package dev.vertlet.kube.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.kube.Thing;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A listener that rebuilds the server's world and checks what a reflector promises. */
public final class World implements ReflectorListener<Thing> {
  private final Map<String, Thing> things = new TreeMap<>();
  private final List<String> history = new ArrayList<>();
  private int timesSynced;

  /** Name to object. */
  Map<String, Thing> things() {
    return things;
  }

  /** {@code +name}, {@code ~name}, {@code -name} and {@code synced}, in order. */
  List<String> history() {
    return history;
  }

  int timesSynced() {
    return timesSynced;
  }

  @Override
  public void upserted(Thing object) {
    Thing before = things.put(object.name(), object);
    assertThat(before).as("an unchanged object is not delivered twice").isNotEqualTo(object);
    if (before != null) {
      assertThat(before.uid())
          .as("the old %s is deleted before the new one", object.name())
          .isEqualTo(object.uid());
    }
    history.add((before == null ? "+" : "~") + object.name());
  }

  @Override
  public void deleted(Tombstone object) {
    Thing before = things.remove(object.name());
    assertThat(before)
        .as("only what is known is deleted: %s", object)
        .extracting(Thing::uid)
        .isEqualTo(object.uid());
    history.add("-" + object.name());
  }

  @Override
  public void synced() {
    timesSynced++;
    history.add("synced");
  }
}
