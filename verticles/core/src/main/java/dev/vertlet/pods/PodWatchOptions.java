package dev.vertlet.pods;

/**
 * Settings of the watches of pods.
 *
 * @param mode how watches are divided
 * @param pageSize objects per page of a paged list
 * @param maxEventBytes a larger watch event ends the watch with an error and a relist
 * @param shared whether other agents serve some of the nodes
 * @param adopting whether the agent adopts nodes that others create and delete
 */
public record PodWatchOptions(
    Mode mode, int pageSize, int maxEventBytes, boolean shared, boolean adopting) {
  /** Up to this number, one watch per node costs less than decoding the pods of foreign nodes. */
  public static final int PER_NODE_LIMIT = 64;

  /** For an agent that creates all its nodes. */
  public PodWatchOptions(Mode mode, int pageSize, int maxEventBytes, boolean shared) {
    this(mode, pageSize, maxEventBytes, shared, false);
  }

  /** One watch per node, as kubelets have, or one for all pods that are bound to any node. */
  public enum Mode {
    /**
     * Per node up to {@link #PER_NODE_LIMIT} nodes, shared above and for adopted nodes, whose
     * number is unknown in advance; always per node if several agents divide the nodes, since each
     * agent would otherwise receive the pods of all nodes.
     */
    AUTO,
    PER_NODE,
    SHARED
  }

  boolean perNode(int nodes) {
    boolean few = !adopting && nodes <= PER_NODE_LIMIT;
    return mode == Mode.PER_NODE || (mode == Mode.AUTO && (shared || few));
  }

  /** Whether a node's watch is open only while the node is served. */
  boolean whileServed(int nodes) {
    return (shared || adopting) && perNode(nodes);
  }
}
