package dev.vertlet.env;

import dev.vertlet.model.reference.ReferredKey;
import dev.vertlet.model.reference.ReferredView;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;

/** A cluster whose objects are read when a test says so. */
public final class FakeReferences implements ReferenceSource {
  /** {@code +} and {@code -} with the name of each key that was followed and left. */
  public final List<String> calls = new ArrayList<>();

  public final Set<ReferredKey> followed = new LinkedHashSet<>();
  private BiConsumer<ReferredKey, List<ReferredView>> listener = (key, objects) -> {};

  @Override
  public void start(BiConsumer<ReferredKey, List<ReferredView>> told) {
    listener = told;
  }

  @Override
  public void follow(ReferredKey key) {
    calls.add("+" + key.name());
    if (!followed.add(key)) {
      throw new AssertionError("followed twice: " + key);
    }
  }

  @Override
  public void leave(ReferredKey key) {
    calls.add("-" + key.name());
    if (!followed.remove(key)) {
      throw new AssertionError("left without being followed: " + key);
    }
  }

  @Override
  public void stop() {
    calls.add("stop");
  }

  /** The objects of a key were read. */
  public void tell(ReferredKey key, ReferredView... objects) {
    listener.accept(key, List.of(objects));
  }
}
