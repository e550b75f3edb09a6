package dev.vertlet.bus;

/**
 * How many pods of a node there are, as the API server holds them.
 *
 * @param node they are bound to
 * @param ready whose condition Ready is True, of whatever phase
 * @param ending whose deletion somebody asked for, of whatever phase
 */
public record NodePods(
    String node,
    int pending,
    int running,
    int succeeded,
    int failed,
    int unknown,
    int ready,
    int ending) {
  /** Of all phases. */
  public int total() {
    return pending + running + succeeded + failed + unknown;
  }
}
