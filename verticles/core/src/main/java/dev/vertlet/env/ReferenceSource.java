package dev.vertlet.env;

import dev.vertlet.model.reference.ReferredKey;
import dev.vertlet.model.reference.ReferredView;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * Watches objects of the cluster, each while it is needed. Called on the context of its shard, on
 * which it calls back.
 */
public interface ReferenceSource {
  /**
   * Starts the source; called once, before any other method.
   *
   * @param listener called with a key's objects when it was first read and whenever they change; an
   *     empty list if there is no such object. Must ignore keys that are no longer watched
   */
  void start(BiConsumer<ReferredKey, List<ReferredView>> listener);

  /** Begins to watch a key; called once for a key until {@link #leave}. */
  void follow(ReferredKey key);

  /** Ends the watch of a key. */
  void leave(ReferredKey key);

  /** Ends all calls of the listener. */
  void stop();
}
