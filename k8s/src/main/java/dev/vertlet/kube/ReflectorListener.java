package dev.vertlet.kube;

import dev.vertlet.model.KubeObject;

/**
 * Receives what a {@link Reflector} sees, in order, on the context that started it.
 *
 * <p>Guaranteed: an unchanged object is never delivered twice, and a deletion missed while no watch
 * was open is found by the next relist. Not guaranteed: every intermediate state.
 */
public interface ReflectorListener<T extends KubeObject> {
  /** New, or changed since it was last delivered. */
  void upserted(T object);

  /** Gone. {@code resourceVersion} of {@code object} is that of the last state known. */
  void deleted(Tombstone object);

  /** The first complete list was delivered; called once. */
  void synced();

  /** What is known of an object that is gone. */
  record Tombstone(String namespace, String name, String uid) {}
}
