package dev.vertlet.adopt;

import dev.vertlet.model.node.NodeView;

/**
 * Keeps the properties of adopted nodes. Called on the context of the {@link AdoptVerticle}, before
 * a change is published, and after a release was published.
 */
public interface AdoptTarget {
  /** Whether other clients write status and Lease of the nodes that the selector selects. */
  boolean selfManaged(int selector);

  /**
   * A node is adopted.
   *
   * @param selector index of the selector that matches it
   */
  void adopted(int selector, NodeView node);

  /**
   * The object of an adopted node has changed.
   *
   * @return whether the node's configuration changes with it: not for heartbeats and the like
   */
  boolean changed(int selector, NodeView node);

  /** A node is released; a node of the same name may be adopted later. */
  void released(String node);
}
