package dev.vertlet.bus;

import dev.vertlet.model.ReferredKey;
import dev.vertlet.model.ReferredView;
import java.util.List;

/**
 * What the API server holds of something that pods refer to.
 *
 * @param objects all of them, in the order of their names; empty when there is none
 */
public record ReferenceRead(ReferredKey key, List<ReferredView> objects) implements BusMessage {
  public ReferenceRead {
    objects = List.copyOf(objects);
  }
}
