package dev.vertlet.harness.nodes;

/** What tells the nodes that this command has made from all others. */
public final class NodeSet {
  /** Key of the label that they carry. */
  public static final String LABEL = "vertlet.dev/managed-by";

  /** Its value. */
  public static final String VALUE = "nodes-command";

  /** The label selector of all of them. */
  public static final String SELECTOR = LABEL + "=" + VALUE;

  private NodeSet() {}
}
