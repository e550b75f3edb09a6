package dev.vertlet.pods;

/**
 * @param mode how watches are divided
 * @param pageSize objects per page of a paged list
 * @param maxEventBytes a larger watch event ends the watch with an error and a relist
 * @param shared whether other agents serve some of the nodes
 * @param adopting whether nodes come and go that others make
 */
public record PodWatchOptions(
    Mode mode, int pageSize, int maxEventBytes, boolean shared, boolean adopting) {
  /** Up to here one watch per node costs less than decoding the pods of foreign nodes. */
  public static final int PER_NODE_LIMIT = 64;

  /** Of an agent that makes all its nodes. */
  public PodWatchOptions(Mode mode, int pageSize, int maxEventBytes, boolean shared) {
    this(mode, pageSize, maxEventBytes, shared, false);
  }

  /** One watch per node, as kubelets do, or one for all pods that are bound to any node. */
  public enum Mode {
    /**
     * Per node up to {@link #PER_NODE_LIMIT} nodes, shared above, and where nodes are adopted, of
     * which nobody knows how many there will be; always per node where several agents divide the
     * nodes, each of which would else receive the pods of all.
     */
    AUTO,
    PER_NODE,
    SHARED
  }

  boolean perNode(int nodes) {
    boolean few = !adopting && nodes <= PER_NODE_LIMIT;
    return mode == Mode.PER_NODE || (mode == Mode.AUTO && (shared || few));
  }

  /** Whether a node is watched only while it is served. */
  boolean whileServed(int nodes) {
    return (shared || adopting) && perNode(nodes);
  }
}
