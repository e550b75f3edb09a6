package dev.vertlet.env;

import dev.vertlet.model.ReferredKey;
import dev.vertlet.model.ReferredView;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * Follows objects of the cluster, each as long as somebody wants it. Called on the context of its
 * shard, and calls back there.
 */
public interface ReferenceSource {
  /**
   * Called once, before anything else.
   *
   * @param listener told what the API server holds: when a key was first read, and then whenever
   *     that changes; an empty list when there is no such object. What is told of a key that is
   *     followed no longer is to be ignored
   */
  void start(BiConsumer<ReferredKey, List<ReferredView>> listener);

  /** Begins to follow. Called once for a key until it is left again. */
  void follow(ReferredKey key);

  /** Ends what {@link #follow} began. */
  void leave(ReferredKey key);

  /** Nothing is told any more. */
  void stop();
}
