package dev.vertlet.pods;

import dev.vertlet.model.pod.PodView;
import io.vertx.core.Future;
import java.util.List;

/** A program's own watch of pods, which replaces the agent's. */
public interface PodSource {
  /**
   * Starts the watch; called once, on an event loop, before any other method. Changes go into the
   * feed from now on.
   *
   * @return a failure keeps the agent from starting
   */
  Future<Void> start(PodFeed feed);

  /**
   * Lists all pods that are bound to the node now; a cached list is not enough, because another
   * agent may have written since. Called for each node when this agent begins to serve it; known
   * pods that the list lacks are gone. After a failure the call is repeated.
   */
  Future<List<PodView>> list(String node);
}
