package dev.vertlet.pods;

/**
 * @param mode how watches are divided
 * @param pageSize objects per page of a paged list
 * @param maxEventBytes a larger watch event ends the watch with an error and a relist
 * @param shared whether other agents serve some of the nodes
 */
public record PodWatchOptions(Mode mode, int pageSize, int maxEventBytes, boolean shared) {
  /** Up to here one watch per node costs less than decoding the pods of foreign nodes. */
  public static final int PER_NODE_LIMIT = 64;

  /** One watch per node, as kubelets do, or one for all pods that are bound to any node. */
  public enum Mode {
    /**
     * Per node up to {@link #PER_NODE_LIMIT} nodes, shared above; always per node where several
     * agents divide the nodes, each of which would else receive the pods of all.
     */
    AUTO,
    PER_NODE,
    SHARED
  }

  boolean perNode(int nodes) {
    return mode == Mode.PER_NODE || (mode == Mode.AUTO && (shared || nodes <= PER_NODE_LIMIT));
  }

  /** Whether a node is watched only while it is served. */
  boolean whileServed(int nodes) {
    return shared && perNode(nodes);
  }
}
