package dev.vertlet.status;

import dev.vertlet.bus.PodReport;

/** Observes the pods of a {@link StatusWriter}. Called on its loop. */
interface StatusObserver {
  /** Ignores all calls. */
  StatusObserver NONE = new StatusObserver() {};

  /** The server holds a new pod. */
  default void seen(StatusEntry entry) {}

  /** The status that the server holds of a pod may have changed. */
  default void changed(StatusEntry entry) {}

  /** The provider reported a pod. */
  default void reported(StatusEntry entry, PodReport report) {}

  /** The server no longer holds a pod. */
  default void gone(StatusEntry entry) {}
}
