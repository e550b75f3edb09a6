package dev.vertlet.kube.watch;

import dev.vertlet.model.KubeObject;
import java.time.Duration;

/**
 * Receives the objects of a {@link Reflector}, in order, on the context that started it.
 *
 * <p>Guaranteed: an unchanged object is never delivered twice, and the next relist finds a deletion
 * that happened without an open watch. Not guaranteed: every intermediate state.
 */
public interface ReflectorListener<T extends KubeObject> {
  /** An object is new, or has changed since it was last delivered. */
  void upserted(T object);

  /** An object is gone. */
  void deleted(Tombstone object);

  /** The first complete list was delivered; called once. */
  void synced();

  /**
   * A complete list after the first one was delivered, because the watch could not go on from where
   * it ended: states in between may be missing.
   *
   * @param unwatched time from the last event of the watch, bookmarks included, to the end of the
   *     list
   */
  default void relisted(Duration unwatched) {}

  /** Identifies a deleted object. */
  record Tombstone(String namespace, String name, String uid) {}
}
