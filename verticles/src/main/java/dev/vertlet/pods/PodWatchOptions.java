package dev.vertlet.pods;

/**
 * @param mode how watches are divided
 * @param pageSize objects per page of a paged list
 * @param maxEventBytes a larger watch event ends the watch with an error and a relist
 */
public record PodWatchOptions(Mode mode, int pageSize, int maxEventBytes) {
  /** Up to here one watch per node costs less than decoding the pods of foreign nodes. */
  public static final int PER_NODE_LIMIT = 64;

  /** One watch per node, as kubelets do, or one for all pods that are bound to any node. */
  public enum Mode {
    /** Per node up to {@link #PER_NODE_LIMIT} nodes, shared above. */
    AUTO,
    PER_NODE,
    SHARED
  }

  boolean perNode(int nodes) {
    return mode == Mode.PER_NODE || (mode == Mode.AUTO && nodes <= PER_NODE_LIMIT);
  }
}
