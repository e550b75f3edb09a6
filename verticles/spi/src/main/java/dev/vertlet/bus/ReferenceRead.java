package dev.vertlet.bus;

import dev.vertlet.model.reference.ReferredKey;
import dev.vertlet.model.reference.ReferredView;
import java.util.List;

/**
 * Content of a reference of pods, read from the API server.
 *
 * @param objects all referenced objects, ordered by name; empty if there are none
 */
public record ReferenceRead(ReferredKey key, List<ReferredView> objects) implements BusMessage {
  public ReferenceRead {
    objects = List.copyOf(objects);
  }
}
