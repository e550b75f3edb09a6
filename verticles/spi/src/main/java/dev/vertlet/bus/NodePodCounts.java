package dev.vertlet.bus;

/**
 * Numbers of a node's pods, as the API server holds them.
 *
 * @param node the pods are bound to
 * @param ready pods whose condition Ready is True, in any phase
 * @param ending pods with a deletion timestamp, in any phase
 */
public record NodePodCounts(
    String node,
    int pending,
    int running,
    int succeeded,
    int failed,
    int unknown,
    int ready,
    int ending) {
  /** Sum over all phases. */
  public int total() {
    return pending + running + succeeded + failed + unknown;
  }
}
