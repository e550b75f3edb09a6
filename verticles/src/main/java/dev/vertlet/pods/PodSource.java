package dev.vertlet.pods;

import dev.vertlet.model.PodView;
import io.vertx.core.Future;
import java.util.List;

/** A program's own watch of pods, in place of the agent's. */
public interface PodSource {
  /**
   * Called once, on an event loop, before anything else: from now on changes go into the feed.
   *
   * @return a failure keeps the agent from starting
   */
  Future<Void> start(PodFeed feed);

  /**
   * All pods that are bound to this node now, not at some time before the call: another agent may
   * have written in between. Called for each node when this agent begins to serve it; what is known
   * and not in the answer is gone. A failure is answered by asking again.
   */
  Future<List<PodView>> list(String node);
}
