package dev.vertlet.status;

import dev.vertlet.bus.PodReport;

/** Told what a {@link StatusWriter} comes to know of its pods. Called on its loop. */
interface Witness {
  /** For a writer that nobody looks at. */
  Witness NONE = new Witness() {};

  /** The server holds a pod that was not known. */
  default void seen(StatusEntry entry) {}

  /** What the server holds of a pod may be something else now. */
  default void changed(StatusEntry entry) {}

  /** The provider said something about a pod. */
  default void reported(StatusEntry entry, PodReport report) {}

  /** The server holds a pod no longer. */
  default void gone(StatusEntry entry) {}
}
