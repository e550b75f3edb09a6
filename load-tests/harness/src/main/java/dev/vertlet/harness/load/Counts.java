package dev.vertlet.harness.load;

/**
 * Progress of a load. All counts but {@code nodesReady} are those of the running phase, or of the
 * last one.
 *
 * @param nodesReady nodes that are Ready now
 * @param phase name of the phase; empty before the first
 * @param created pods requested
 * @param ready pods that became Ready
 * @param deleted pods whose deletion was requested
 * @param gone pods that are gone
 * @param updates changed pods
 * @param lost pods that are no longer waited for
 * @param p50 milliseconds from create to Ready, or from delete to gone if no pod became Ready; at
 *     most a quarter of a second old
 * @param p99 like {@code p50}
 */
public record Counts(
    int nodesReady,
    String phase,
    int created,
    int ready,
    int deleted,
    int gone,
    int updates,
    int lost,
    double p50,
    double p99) {
  static final Counts NONE = new Counts(0, "", 0, 0, 0, 0, 0, 0, 0, 0);

  /** Returns these counts, or only those of the nodes if the counts belong to another phase. */
  public Counts of(String name) {
    return phase.equals(name) ? this : new Counts(nodesReady, name, 0, 0, 0, 0, 0, 0, 0, 0);
  }
}
