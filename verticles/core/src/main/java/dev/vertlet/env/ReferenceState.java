package dev.vertlet.env;

import dev.vertlet.model.reference.ReferredKey;
import dev.vertlet.model.reference.ReferredView;
import java.util.List;

/** Current knowledge of a referenced object. */
public sealed interface ReferenceState {
  /**
   * The object as the API server holds it.
   *
   * @param objects empty if it does not exist
   */
  record Known(List<ReferredView> objects) implements ReferenceState {
    public Known {
      objects = List.copyOf(objects);
    }
  }

  /**
   * The object is being read.
   *
   * @param until end of the wait, epoch milliseconds
   */
  record Unread(long until) implements ReferenceState {}

  /** The object is not read; it counts as existing, with all its keys. */
  record Assumed() implements ReferenceState {}

  /** The object cannot be read; the message is the kubelet's. */
  record Unavailable(String message) implements ReferenceState {}

  /** Source of readings. */
  @FunctionalInterface
  interface Lookup {
    ReferenceState read(ReferredKey key);
  }
}
