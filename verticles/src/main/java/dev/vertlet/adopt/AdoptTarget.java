package dev.vertlet.adopt;

import dev.vertlet.model.NodeView;

/**
 * Keeps what adopted nodes are. Called on the context of the {@link AdoptVerticle}, before anybody
 * is told of what has changed, or after everybody was told that a node is released.
 */
public interface AdoptTarget {
  /**
   * A node is this agent's from now on.
   *
   * @param selector index of the one that has it
   */
  void adopted(int selector, NodeView node);

  /**
   * Its object is another one.
   *
   * @return whether that makes it another node: not for heartbeats and the like
   */
  boolean changed(int selector, NodeView node);

  /** A node is this agent's no longer; one of its name may be again. */
  void released(String node);
}
