package dev.vertlet.harness.nodes;

/** Label of the nodes that {@code vertlet nodes} creates. */
public final class NodeSet {
  /** Key of the label. */
  public static final String LABEL = "vertlet.dev/managed-by";

  /** Value of the label. */
  public static final String VALUE = "nodes-command";

  /** Label selector of all these nodes. */
  public static final String SELECTOR = LABEL + "=" + VALUE;

  private NodeSet() {}
}
